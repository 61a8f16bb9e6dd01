// The record that a texture's or a surface's handle leads to: `ImageRecord` in src/cpu/abi/image-record.ts.
#pragma once
#include "check.h"

namespace rk {
typedef u32 u32x4 __attribute__((ext_vector_type(4)));
typedef float f32x4 __attribute__((ext_vector_type(4)));

// One size of an image. Layers, or the faces of cubes, lie behind each other.
struct Level {
  const char *data;
  u64 row, slice;
  u32 width, height, depth, layers;
};

struct Image {
  u32 mark, flags;
  const char *data;
  u32 width, height, depth, layers;
  u64 row, slice;
  u32 bytes, format;
  u64 key;
  float scale[3], last[3];
  u32 levels;
  float bias, least, most;
  u32 slanted; // samples that a slanted view may take
  u32 form;
  u32x4 border;
  // Of a texture in sRGB: the linear values of bytes.
  const float *linear;
  u64 unused;
  Level level[];
};

constexpr u32 TEXTURE = 0x74786574, SURFACE = 0x66727573;

enum Flag : u32 {
  // Two bits for each direction: wrap, clamp, mirror, border.
  LINEAR = 1 << 6,
  BETWEEN_LEVELS = 1 << 7,
  NORMALIZED = 1 << 8,
  SEAMLESS = 1 << 9,
};
enum Mode : u32 { WRAP, CLAMP, MIRROR, BORDER };

// The number type of an element's parts, as a read gives it, and the power of two of how many there are.
enum Part : u32 { U8, U16, U32, I8, I16, I32, F16, F32, UN8, UN16, SN8, SN16, SRGB };
constexpr u32 PART(u32 format) { return format >> 4; }
constexpr u32 COUNT(u32 format) { return 1 << (format & 15); }
constexpr bool IS_FLOAT(u32 format) { return PART(format) >= F16; }

// What a function of the device asks an object for.
enum Form : u32 { DIMENSIONS = 3, LAYERED = 4, CUBE = 8, LINEAR_MEMORY = 16 };
} // namespace rk
