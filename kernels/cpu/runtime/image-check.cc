// The checked mode: whether a handle is a texture or a surface, and fits its use.
#include "image-record.h"

using namespace rk;

namespace {
// `ImageFault` in src/cpu/runtime/fault.ts; the bits above the first eight tell more.
enum Fault : u32 { NONE, NO_OBJECT, DESTROYED, FREED_MEMORY, WRONG_TYPE, OUTSIDE, WRONG_FORM };

u32 stateOf(u64 object, u32 mark) {
  if (object < FIRST || object > LIMIT - sizeof(Image)) return NO_OBJECT;
  if (shadow(object) == FREED) return DESTROYED;
  if (shadow(object) <= 0) return NO_OBJECT;
  const Image *image = (const Image *)object;
  if (image->mark != mark) return image->mark == ~mark ? DESTROYED : NO_OBJECT;
  return shadow((u64)image->data) == FREED ? FREED_MEMORY : NONE;
}
} // namespace

RK_APART u32 __rk_texture_fault(u64 object, u32 wish) {
  u32 state = stateOf(object, TEXTURE);
  if (state != NONE) return state;
  const Image *image = (const Image *)object;
  u32 form = wish & 255, parts = wish >> 8 & 255, bytes = wish >> 16 & 255;
  if (form != image->form) return WRONG_FORM | image->form << 8;
  u32 count = COUNT(image->format), format = image->format;
  bool isFloat = wish >> 24 & 1;
  u32 wide = IS_FLOAT(format) ? 4 : image->bytes / count;
  if (isFloat != IS_FLOAT(format) || parts > count || bytes < wide) return WRONG_TYPE | format << 8;
  return NONE;
}

RK_APART u32 __rk_surface_fault(u64 object, u32 wish) {
  u32 state = stateOf(object, SURFACE);
  if (state != NONE) return state;
  const Image *image = (const Image *)object;
  // The faces of a cube are layers of two dimensions, too.
  u32 form = wish & 255, flat = image->form & CUBE ? 2 | LAYERED : image->form;
  if (form != image->form && form != flat) return WRONG_FORM | image->form << 8;
  return wish >> 8 == image->bytes ? NONE : WRONG_TYPE | image->format << 8;
}
