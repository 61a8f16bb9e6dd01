// Reads of textures: CUDA C++ Programming Guide, "Texture Fetching"; the faces of cubes: "Cubemap Textures" there.
#include "image-record.h"

using namespace rk;

static u32 bitsOf(float value) { return __builtin_bit_cast(u32, value); }
static float floatOf(u32 bits) { return __builtin_bit_cast(float, bits); }
static f32x4 floats(u32x4 bits) { return __builtin_bit_cast(f32x4, bits); }
static u32x4 bits(f32x4 value) { return __builtin_bit_cast(u32x4, value); }
static int least(int a, int b) { return a < b ? a : b; }
static int within(int i, int end) { return i < 0 ? 0 : i >= end ? end - 1 : i; }
// The integer at or below a number; far ones become some far integer, and NaN too.
static int floorOf(float value) {
  float whole = __builtin_floorf(value);
  whole = whole > -1e9f ? whole : -1e9f;
  return (int)(whole < 1e9f ? whole : 1e9f);
}

// ---- Elements ----

template <class T> static u32x4 parts(const char *p, u32 count, u32 (*as)(T)) {
  const T *from = (const T *)p;
  u32x4 got = {as(from[0]), 0, 0, 0};
  if (count > 1) got.y = as(from[1]);
  if (count > 2) got.z = as(from[2]), got.w = as(from[3]);
  return got;
}
template <class T> static u32 same(T value) { return (u32)value; }
// Half precision has five bits of exponent, whose middle is 15; a float's is 127.
static u32 half(unsigned short value) {
  u32 sign = (u32)(value & 0x8000) << 16, exponent = value >> 10 & 31, mantissa = value & 1023;
  if (exponent == 31) return sign | 0x7f800000 | mantissa << 13;
  if (exponent != 0) return sign | (exponent + 112) << 23 | mantissa << 13;
  return sign | bitsOf(mantissa * 0x1p-24f);
}
static u32 scaled8(unsigned char value) { return bitsOf(value / 255.0f); }
static u32 scaled16(unsigned short value) { return bitsOf(value / 65535.0f); }
static u32 signed8(signed char value) { return bitsOf(value < -127 ? -1.0f : value / 127.0f); }
static u32 signed16(short value) { return bitsOf(value < -32767 ? -1.0f : value / 32767.0f); }

// The bits of an element's numbers, as a read gives them. Missing numbers are 0, as seen on an H200.
static u32x4 element(const Image *image, const char *p) {
  u32 count = COUNT(image->format);
  switch (PART(image->format)) {
  case U8: return parts<unsigned char>(p, count, same);
  case U16: return parts<unsigned short>(p, count, same);
  case U32: case I32: return parts<u32>(p, count, same);
  case I8: return parts<signed char>(p, count, same);
  case I16: return parts<short>(p, count, same);
  case F16: return parts<unsigned short>(p, count, half);
  case F32: return parts<u32>(p, count, same);
  case UN8: return parts<unsigned char>(p, count, scaled8);
  case UN16: return parts<unsigned short>(p, count, scaled16);
  case SN8: return parts<signed char>(p, count, signed8);
  case SN16: return parts<short>(p, count, signed16);
  case SRGB: {
    // Alpha is linear already.
    const unsigned char *c = (const unsigned char *)p;
    u32x4 got = {bitsOf(image->linear[c[0]]), 0, 0, 0};
    if (count > 1) got.y = bitsOf(image->linear[c[1]]);
    if (count > 2) got.z = bitsOf(image->linear[c[2]]), got.w = scaled8(c[3]);
    return got;
  }
  default: return 0;
  }
}

// An element by its place; what is outside has the border's colour.
static u32x4 texel(const Image *image, const Level &level, int x, int y, int z) {
  if ((u32)x >= level.width || (u32)y >= level.height) return image->border;
  if ((u32)z >= level.depth * level.layers) return image->border;
  return element(image, level.data + (u64)z * level.slice + (u64)y * level.row + (u64)x * image->bytes);
}

// ---- Coordinates ----

static u32 modeOf(const Image *image, u32 axis) { return image->flags >> 2 * axis & 3; }

// A coordinate from -1 to 1; below zero in a mirror image.
static float mirrored(float s) { return s - 2.0f * __builtin_rintf(0.5f * s); }
// A coordinate in elements.
static float unfolded(const Image *image, u32 mode, float s, u32 size) {
  if (!(image->flags & NORMALIZED)) return s;
  if (mode == WRAP) {
    // Just below a whole number is the last element, also where a float rounds the difference up.
    float part = s - __builtin_floorf(s);
    return (part >= 1 ? 0x1.fffffep-1f : part) * size;
  }
  if (mode == MIRROR) return __builtin_fabsf(mirrored(s)) * size;
  return s * size;
}

// Which element is meant by an index that is outside by one, or by any number where nothing repeats.
static int placed(u32 mode, int i, u32 size) {
  int end = (int)size;
  if (mode == BORDER) return i;
  if (mode == WRAP && i < 0) return i + end >= 0 ? i + end : 0;
  if (mode == WRAP && i >= end) return i - end < end ? i - end : end - 1;
  return within(i, end);
}

// Two neighbours along a direction, and how much the second one weighs: 8 bits after the point, as the hardware has it.
struct Beside {
  int low, high;
  float part;
  // In a mirror image, where the first one comes behind the second.
  bool turned;
};
static Beside beside(const Image *image, u32 axis, float s, u32 size) {
  u32 mode = modeOf(image, axis);
  float u = unfolded(image, mode, s, size) - 0.5f;
  // Far outside, where 256ths do not fit an integer, all is border or edge.
  u = u > -4e6f ? u : -4e6f;
  int fixed = floorOf((u < 4e6f ? u : 4e6f) * 256 + 0.5f);
  int low = fixed >> 8, part = fixed & 255;
  // What weighs nothing is not read: it may be infinite.
  bool turned = mode == MIRROR && image->flags & NORMALIZED && mirrored(s) < 0;
  return {placed(mode, low, size), placed(mode, part ? low + 1 : low, size), part * 0x1p-8f, turned};
}
static int nearest(const Image *image, u32 axis, float s, u32 size) {
  u32 mode = modeOf(image, axis);
  return placed(mode, floorOf(unfolded(image, mode, s, size)), size);
}

// The weight of the second one along both directions. That of the corner which comes last in the texture's own order is rounded
// to 8 bits, and the others complete it: seen on an H200.
static float farWeight(const Beside &i, const Beside &j) {
  float a = i.turned ? 1 - i.part : i.part, b = j.turned ? 1 - j.part : j.part;
  float last = (float)(int)(a * b * 256 + 0.5f) * 0x1p-8f;
  if (i.turned) return j.turned ? 1 - a - b + last : b - last;
  return j.turned ? a - last : last;
}

static f32x4 between(f32x4 a, f32x4 b, float part) { return part == 0 ? a : (1 - part) * a + part * b; }

static u32x4 flat(const Image *image, const Level &level, float x, float y, float z, int layer, u32 dimensions) {
  if (!(image->flags & LINEAR)) {
    int i = nearest(image, 0, x, level.width), j = dimensions > 1 ? nearest(image, 1, y, level.height) : 0;
    return texel(image, level, i, j, dimensions > 2 ? nearest(image, 2, z, level.depth) : layer);
  }
  Beside i = beside(image, 0, x, level.width), j = {0, 0, 0, false}, k = {layer, layer, 0, false};
  if (dimensions > 1) j = beside(image, 1, y, level.height);
  if (dimensions > 2) k = beside(image, 2, z, level.depth);
  float far = farWeight(i, j);
  f32x4 planes[2];
  for (int plane = 0; plane <= (k.part != 0); plane++) {
    int at = plane ? k.high : k.low;
    f32x4 sum = {0, 0, 0, 0};
    auto add = [&](int x, int y, float weight) {
      if (weight != 0) sum += weight * floats(texel(image, level, x, y, at));
    };
    add(i.low, j.low, 1 - i.part - j.part + far);
    add(i.high, j.low, i.part - far);
    add(i.low, j.high, j.part - far);
    add(i.high, j.high, far);
    planes[plane] = sum;
  }
  return bits(between(planes[0], planes[1], k.part));
}

// ---- Cubes ----

// A face, and coordinates on it from -1 to 1 times `size`.
struct Facing {
  u32 face;
  float s, t, size;
};
static Facing facing(u32 face, float x, float y, float z) {
  switch (face) {
  case 0: return {face, -z, -y, x};
  case 1: return {face, z, -y, -x};
  case 2: return {face, x, z, y};
  case 3: return {face, x, -z, -y};
  case 4: return {face, x, -y, z};
  default: return {face, -x, -y, -z};
  }
}
// Of equal lengths z comes first, then y, as seen on an H200.
static u32 faceOf(float x, float y, float z) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y), c = __builtin_fabsf(z);
  if (c >= a && c >= b) return 4 + (z < 0);
  return b >= a ? 2 + (y < 0) : x < 0;
}
// An element beside a face: that of the face where its middle is.
static u32x4 onCube(const Image *image, const Level &level, u32 face, int layer, int i, int j) {
  int size = (int)level.width;
  if ((u32)i < (u32)size && (u32)j < (u32)size) return texel(image, level, i, j, layer * 6 + (int)face);
  if (!(image->flags & SEAMLESS)) return texel(image, level, within(i, size), within(j, size), layer * 6 + (int)face);
  float s = (2 * i + 1.0f) / size - 1, t = (2 * j + 1.0f) / size - 1;
  float x, y, z;
  switch (face) {
  case 0: x = 1, y = -t, z = -s; break;
  case 1: x = -1, y = -t, z = s; break;
  case 2: x = s, y = 1, z = t; break;
  case 3: x = s, y = -1, z = -t; break;
  case 4: x = s, y = -t, z = 1; break;
  default: x = -s, y = -t, z = -1; break;
  }
  Facing other = facing(faceOf(x, y, z), x, y, z);
  int k = within(floorOf((other.s / other.size + 1) * 0.5f * size), size);
  int l = within(floorOf((other.t / other.size + 1) * 0.5f * size), size);
  return texel(image, level, k, l, layer * 6 + (int)other.face);
}
static u32x4 cube(const Image *image, const Level &level, float x, float y, float z, int layer) {
  Facing at = facing(faceOf(x, y, z), x, y, z);
  int size = (int)level.width;
  float u = (at.s / at.size + 1) * 0.5f * size, v = (at.t / at.size + 1) * 0.5f * size;
  if (!(image->flags & LINEAR)) {
    return texel(image, level, within(floorOf(u), size), within(floorOf(v), size), layer * 6 + (int)at.face);
  }
  int a = floorOf((u - 0.5f) * 256 + 0.5f), b = floorOf((v - 0.5f) * 256 + 0.5f), i = a >> 8, j = b >> 8;
  float right = (a & 255) * 0x1p-8f, down = (b & 255) * 0x1p-8f;
  auto read = [&](int k, int l) { return floats(onCube(image, level, at.face, layer, k, l)); };
  auto line = [&](int l) { return right == 0 ? read(i, l) : between(read(i, l), read(i + 1, l), right); };
  return bits(down == 0 ? line(j) : between(line(j), line(j + 1), down));
}

// ---- Levels ----

// A layer below zero is the last one, as one behind it: seen on an H200.
static int layerOf(int layer, u32 count) { return (int)((u32)layer < count ? (u32)layer : count - 1); }

static u32x4 inLevel(const Image *image, u32 number, float x, float y, float z, int layer, u32 form) {
  const Level &level = image->level[number];
  if (form & CUBE) return cube(image, level, x, y, z, form & LAYERED ? layerOf(layer, level.layers / 6) : 0);
  return flat(image, level, x, y, z, form & LAYERED ? layerOf(layer, level.layers) : 0, form & DIMENSIONS);
}

static u32x4 atLevel(const Image *image, float x, float y, float z, int layer, u32 form, float wanted) {
  float level = wanted + image->bias;
  level = level > image->least ? level : image->least;
  level = level < image->most ? level : image->most;
  int last = (int)image->levels - 1;
  level = level > 0 ? level : 0;
  level = level < last ? level : last;
  if (!(image->flags & BETWEEN_LEVELS)) return inLevel(image, (u32)(level + 0.5f), x, y, z, layer, form);
  // A level's fraction has 8 bits, which are cut off; weights within a level are rounded (seen on an H200).
  u32 fixed = (u32)(level * 256), low = fixed >> 8, part = fixed & 255;
  u32x4 got = inLevel(image, low, x, y, z, layer, form);
  if (part == 0) return got;
  return bits(between(floats(got), floats(inLevel(image, low + 1, x, y, z, layer, form)), part * 0x1p-8f));
}

// The binary logarithm of a positive number, to some 20 bits: levels have 8 after the point.
static float logOf(float value) {
  u32 word = bitsOf(value);
  int exponent = (int)(word >> 23 & 255) - 127;
  float m = floatOf((word & 0x7fffff) | 0x3f800000);
  if (m > 1.41421356f) m *= 0.5f, exponent++;
  float t = (m - 1) / (m + 1), q = t * t;
  return exponent + 2.88539008f * t * (1 + q * (0.333333333f + q * (0.2f + q * 0.142857143f)));
}

// How much a direction changes coordinates on the face of a cube.
static void ontoFace(const Facing &at, float *d) {
  Facing change = facing(at.face, d[0], d[1], d[2]);
  float size = at.size * at.size * 2;
  d[0] = (change.s * at.size - at.s * change.size) / size;
  d[1] = (change.t * at.size - at.t * change.size) / size;
  d[2] = 0;
}
static float lengthOf(const Image *image, const float *d, u32 form) {
  u32 dimensions = form & CUBE ? 2 : form & DIMENSIONS;
  bool whole = !(image->flags & NORMALIZED) && !(form & CUBE);
  u32 sizes[3] = {image->width, image->height, image->depth};
  float sum = 0;
  for (u32 i = 0; i < dimensions; i++) {
    float along = d[i] * (whole ? 1 : sizes[i]);
    sum += along * along;
  }
  return __builtin_sqrtf(sum);
}

// ---- What kernels call ----

RK_APART u32x4 __rt_texture_at(const Image *image, int i) {
  return (u32)i < image->width ? element(image, image->data + (u64)(u32)i * image->bytes) : u32x4(0);
}

RK_APART u32x4 __rt_texture(const Image *image, float x, float y, float z, int layer, u32 form, float level) {
  return atLevel(image, x, y, z, layer, form, level);
}

// The level comes of how far neighbours in the picture lie apart in the texture. Several samples along the longer way
// keep a slanted view sharp: the shorter way then gives the level (EXT_texture_filter_anisotropic).
RK_APART u32x4 __rt_texture_slanted(const Image *image, float x, float y, float z, int layer, u32 form, float ax, float ay,
                                    float az, float bx, float by, float bz) {
  float a[3] = {ax, ay, az}, b[3] = {bx, by, bz};
  if (form & CUBE) {
    Facing at = facing(faceOf(x, y, z), x, y, z);
    ontoFace(at, a);
    ontoFace(at, b);
  }
  float first = lengthOf(image, a, form), second = lengthOf(image, b, form);
  bool along = first >= second;
  float longest = along ? first : second, shortest = along ? second : first;
  float ratio = longest > shortest * image->slanted ? image->slanted : __builtin_ceilf(longest / shortest);
  int samples = form & CUBE || !(ratio > 1) ? 1 : least((int)ratio, 16);
  float level = longest > 0 ? logOf(longest / samples) : 0;
  if (samples == 1 || !IS_FLOAT(image->format)) return atLevel(image, x, y, z, layer, form, level);
  const float *d = along ? a : b;
  f32x4 sum = 0;
  for (int i = 0; i < samples; i++) {
    float part = (i + 0.5f) / samples - 0.5f;
    sum += floats(atLevel(image, x + part * d[0], y + part * d[1], z + part * d[2], layer, form, level));
  }
  return bits(sum / samples);
}

// One number of each of the four elements that linear filtering would blend, against the clock from the lower left one.
RK_APART u32x4 __rt_texture_gather(const Image *image, float x, float y, int component) {
  const Level &level = image->level[0];
  u32 modes[2] = {modeOf(image, 0), modeOf(image, 1)};
  // Rounded to 256ths, as for blends: seen on an H200.
  int i = floorOf((unfolded(image, modes[0], x, level.width) - 0.5f) * 256 + 0.5f) >> 8;
  int j = floorOf((unfolded(image, modes[1], y, level.height) - 0.5f) * 256 + 0.5f) >> 8;
  auto read = [&](int k, int l) {
    return texel(image, level, placed(modes[0], k, level.width), placed(modes[1], l, level.height), 0)[component & 3];
  };
  return {read(i, j + 1), read(i + 1, j + 1), read(i + 1, j), read(i, j)};
}
