// Images. In memory an image is a record that the host writes; see `ImageRecord` in src/cpu/opencl-image.ts.
typedef struct {
  ulong data;
  uint width, height, depth, layers;
  ulong row, slice; // bytes
  uint order, type; // CLK_RGBA, CLK_UNORM_INT8, …
  uint bytes;       // of an element
  uint levels, samples, unused;
} Image;
typedef const __generic Image *Picture;

// ---- One element ----

OWN __global uchar *element(Picture image, int4 at) {
  return (__global uchar *)(image->data + (ulong)at.z * image->slice + (ulong)at.y * image->row + (ulong)at.x * image->bytes);
}
// Layers count as depth.
OWN int4 size_of(Picture image) { return (int4)(image->width, image->height, max(image->depth, image->layers), 0); }
OWN bool inside(Picture image, int4 at) {
  int4 size = size_of(image);
  return (uint)at.x < (uint)size.x && (uint)at.y < (uint)size.y && (uint)at.z < (uint)size.z;
}
// Components as they lie in memory, in the places that red, green, blue and alpha have.
#define ARRANGED(T)                                                                                                    \
  OWN T##4 arranged(uint order, T##4 c, T one) {                                                                       \
    switch (order) {                                                                                                   \
    case CLK_R: case CLK_Rx: return (T##4)(c.x, 0, 0, one);                                                            \
    case CLK_A: return (T##4)(0, 0, 0, c.x);                                                                           \
    case CLK_RG: case CLK_RGx: return (T##4)(c.x, c.y, 0, one);                                                        \
    case CLK_RA: return (T##4)(c.x, 0, 0, c.y);                                                                        \
    case CLK_RGB: case CLK_RGBx: case CLK_sRGB: case CLK_sRGBx: return (T##4)(c.x, c.y, c.z, one);                     \
    case CLK_BGRA: case CLK_sBGRA: return c.zyxw;                                                                      \
    case CLK_ARGB: return c.yzwx;                                                                                      \
    case CLK_ABGR: return c.wzyx;                                                                                      \
    case CLK_INTENSITY: return c.xxxx;                                                                                 \
    case CLK_LUMINANCE: return (T##4)(c.x, c.x, c.x, one);                                                             \
    case CLK_DEPTH: return (T##4)(c.x, 0, 0, one);                                                                     \
    default: return c;                                                                                                 \
    }                                                                                                                  \
  }                                                                                                                    \
  OWN T##4 scattered(uint order, T##4 c) {                                                                             \
    switch (order) {                                                                                                   \
    case CLK_A: return c.wwww;                                                                                         \
    case CLK_RA: return c.xwww;                                                                                        \
    case CLK_BGRA: case CLK_sBGRA: return c.zyxw;                                                                      \
    case CLK_ARGB: return c.wxyz;                                                                                      \
    case CLK_ABGR: return c.wzyx;                                                                                      \
    default: return c;                                                                                                 \
    }                                                                                                                  \
  }
ARRANGED(float) ARRANGED(int) ARRANGED(uint)
OWN uint components(uint order) {
  switch (order) {
  case CLK_R: case CLK_A: case CLK_INTENSITY: case CLK_LUMINANCE: case CLK_DEPTH: return 1;
  case CLK_RG: case CLK_RA: case CLK_Rx: return 2;
  case CLK_RGB: case CLK_RGx: case CLK_sRGB: return 3;
  default: return 4;
  }
}
OWN bool is_standard_rgb(uint order) { return order >= CLK_sRGB && order <= CLK_sBGRA; }
OWN float to_linear(float c) { return c <= 0.04045f ? c / 12.92f : __rt_powf((c + 0.055f) / 1.055f, 2.4f); }
OWN float from_linear(float c) {
  return c != c ? 0 : c < 0.0031308f ? 12.92f * c : 1.055f * __rt_powf(c, 1.0f / 2.4f) - 0.055f;
}
// Outside of an image there is nothing, which is opaque where the format has no alpha.
OWN float border_alpha(uint order) {
  return order == CLK_R || order == CLK_RG || order == CLK_RGB || order == CLK_LUMINANCE || order == CLK_sRGB;
}

#define COMPONENTS(from, scaled)                                                                                       \
  for (uint i = 0; i < count; i++) {                                                                                   \
    from raw = ((__global from *)p)[i];                                                                                \
    c[i] = scaled;                                                                                                     \
  }
OWN float4 stored_f(Picture image, __global const uchar *p) {
  float c[4] = {0, 0, 0, 0};
  uint count = components(image->order), word;
  switch (image->type) {
  case CLK_SNORM_INT8: COMPONENTS(char, fmax(-1.0f, raw / 127.0f)) break;
  case CLK_SNORM_INT16: COMPONENTS(short, fmax(-1.0f, raw / 32767.0f)) break;
  case CLK_UNORM_INT8: COMPONENTS(uchar, raw / 255.0f) break;
  case CLK_UNORM_INT16: COMPONENTS(ushort, raw / 65535.0f) break;
  case CLK_HALF_FLOAT: COMPONENTS(half, (float)raw) break;
  case CLK_FLOAT: COMPONENTS(float, raw) break;
  case CLK_UNORM_INT24: c[0] = (*(__global uint *)p & 0xffffff) / 16777215.0f; break;
  case CLK_UNORM_SHORT_565:
    word = *(__global ushort *)p;
    return (float4)((word >> 11) / 31.0f, (word >> 5 & 63) / 63.0f, (word & 31) / 31.0f, 1);
  case CLK_UNORM_SHORT_555:
    word = *(__global ushort *)p;
    return (float4)((word >> 10 & 31) / 31.0f, (word >> 5 & 31) / 31.0f, (word & 31) / 31.0f, 1);
  case CLK_UNORM_INT_101010:
    word = *(__global uint *)p;
    return (float4)((word >> 20 & 1023) / 1023.0f, (word >> 10 & 1023) / 1023.0f, (word & 1023) / 1023.0f, 1);
  case CLK_UNORM_INT_101010_2:
    word = *(__global uint *)p;
    return (float4)((word >> 22) / 1023.0f, (word >> 12 & 1023) / 1023.0f, (word >> 2 & 1023) / 1023.0f, (word & 3) / 3.0f);
  }
  float4 got = arranged(image->order, (float4)(c[0], c[1], c[2], c[3]), 1.0f);
  if (is_standard_rgb(image->order)) got.xyz = (float3)(to_linear(got.x), to_linear(got.y), to_linear(got.z));
  return got;
}
OWN int4 stored_i(Picture image, __global const uchar *p) {
  int c[4] = {0, 0, 0, 0};
  uint count = components(image->order);
  switch (image->type) {
  case CLK_SIGNED_INT8: COMPONENTS(char, raw) break;
  case CLK_SIGNED_INT16: COMPONENTS(short, raw) break;
  case CLK_SIGNED_INT32: COMPONENTS(int, raw) break;
  }
  return arranged(image->order, (int4)(c[0], c[1], c[2], c[3]), 1);
}
OWN uint4 stored_ui(Picture image, __global const uchar *p) {
  uint c[4] = {0, 0, 0, 0};
  uint count = components(image->order);
  switch (image->type) {
  case CLK_UNSIGNED_INT8: COMPONENTS(uchar, raw) break;
  case CLK_UNSIGNED_INT16: COMPONENTS(ushort, raw) break;
  case CLK_UNSIGNED_INT32: COMPONENTS(uint, raw) break;
  }
  return arranged(image->order, (uint4)(c[0], c[1], c[2], c[3]), 1u);
}
OWN float4 texel_f(Picture image, int4 at) {
  return inside(image, at) ? stored_f(image, element(image, at)) : (float4)(0, 0, 0, border_alpha(image->order));
}
OWN int4 texel_i(Picture image, int4 at) {
  return inside(image, at) ? stored_i(image, element(image, at)) : (int4)(0, 0, 0, (int)border_alpha(image->order));
}
OWN uint4 texel_ui(Picture image, int4 at) {
  return inside(image, at) ? stored_ui(image, element(image, at)) : (uint4)(0, 0, 0, (uint)border_alpha(image->order));
}

// ---- Samplers ----

#define ADDRESSING 0xe
// Where the element is that a number names, along one dimension; what is outside stays outside, or not.
OWN int placed(uint sampler, int i, int size) {
  switch (sampler & ADDRESSING) {
  case CLK_ADDRESS_CLAMP_TO_EDGE: return clamp(i, 0, size - 1);
  case CLK_ADDRESS_REPEAT: return i < 0 ? i + size : i >= size ? i - size : i;
  case CLK_ADDRESS_MIRRORED_REPEAT: return clamp(i, 0, size - 1);
  default: return clamp(i, -1, size);
  }
}
// A coordinate in elements.
OWN float unfolded(uint sampler, float s, int size) {
  if (!(sampler & CLK_NORMALIZED_COORDS_TRUE)) return s;
  switch (sampler & ADDRESSING) {
  case CLK_ADDRESS_REPEAT: return (s - __builtin_floorf(s)) * size;
  case CLK_ADDRESS_MIRRORED_REPEAT: return __builtin_fabsf(s - 2.0f * __builtin_rintf(0.5f * s)) * size;
  default: return s * size;
  }
}
OWN int layer_of(Picture image, float layer) { return clamp((int)__builtin_rintf(layer), 0, (int)image->layers - 1); }

// The element nearest to a place; `dimensions` are filtered, and the third is a layer where there are `layers`.
OWN int4 nearest(Picture image, uint sampler, float4 at, uint dimensions, uint layered) {
  int4 size = size_of(image), got = 0;
  got.x = placed(sampler, (int)__builtin_floorf(unfolded(sampler, at.x, size.x)), size.x);
  if (dimensions > 1) got.y = placed(sampler, (int)__builtin_floorf(unfolded(sampler, at.y, size.y)), size.y);
  if (dimensions > 2) got.z = placed(sampler, (int)__builtin_floorf(unfolded(sampler, at.z, size.z)), size.z);
  if (layered) got.z = layer_of(image, at.z);
  return got;
}
OWN float4 linear(Picture image, uint sampler, float4 at, uint dimensions, uint layered) {
  int4 size = size_of(image), low = 0, high = 0;
  float4 part = 0;
#define ALONG(d, number)                                                                                               \
  if (dimensions > number) {                                                                                           \
    float u = unfolded(sampler, at.d, size.d) - 0.5f, f = __builtin_floorf(u);                                         \
    part.d = u - f;                                                                                                    \
    low.d = placed(sampler, (int)f, size.d);                                                                           \
    high.d = placed(sampler, (int)f + 1, size.d);                                                                      \
  }
  ALONG(x, 0) ALONG(y, 1) ALONG(z, 2)
  if (layered) low.z = high.z = layer_of(image, at.z);
  float4 sum = 0;
  uint corners = 1u << dimensions;
  for (uint corner = 0; corner < corners; corner++) {
    int4 place = (int4)(corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z, 0);
    float weight = corner & 1 ? part.x : 1 - part.x;
    if (dimensions > 1) weight *= corner & 2 ? part.y : 1 - part.y;
    if (dimensions > 2) weight *= corner & 4 ? part.z : 1 - part.z;
    if (layered) place.z = low.z;
    // What weighs nothing may be infinite.
    if (weight != 0) sum += weight * texel_f(image, place);
  }
  return sum;
}
OWN int4 placed_whole(Picture image, uint sampler, int4 at, uint dimensions, uint layered) {
  int4 size = size_of(image), got = 0;
  got.x = placed(sampler, at.x, size.x);
  if (dimensions > 1) got.y = placed(sampler, at.y, size.y);
  if (dimensions > 2) got.z = placed(sampler, at.z, size.z);
  if (layered) got.z = clamp(at.z, 0, (int)image->layers - 1);
  return got;
}

// ---- What the functions of OpenCL C share ----

// An image and a sampler are pointers to the compiler, and it lets nobody look: so the same symbols are declared with
// their types below, and defined here with types that can be used. A sampler's pointer is its bits.
typedef const __generic void *Bits;
#define SAMPLER (uint)(ulong)bits
#define SHARED(R, name, parameters)                                                                                    \
  R rk_##name parameters __asm__("__rt_image_" #name);                                                                 \
  __attribute__((noinline, nothrow)) R rk_##name parameters
SHARED(float4, sample_f, (Picture image, Bits bits, float4 at, uint dimensions, uint layered)) {
  if (SAMPLER & CLK_FILTER_LINEAR) return linear(image, SAMPLER, at, dimensions, layered);
  return texel_f(image, nearest(image, SAMPLER, at, dimensions, layered));
}
SHARED(int4, sample_i, (Picture image, Bits bits, float4 at, uint dimensions, uint layered)) {
  return texel_i(image, nearest(image, SAMPLER, at, dimensions, layered));
}
SHARED(uint4, sample_ui, (Picture image, Bits bits, float4 at, uint dimensions, uint layered)) {
  return texel_ui(image, nearest(image, SAMPLER, at, dimensions, layered));
}
SHARED(float4, pick_f, (Picture image, Bits bits, int4 at, uint dimensions, uint layered)) {
  return texel_f(image, placed_whole(image, SAMPLER, at, dimensions, layered));
}
SHARED(int4, pick_i, (Picture image, Bits bits, int4 at, uint dimensions, uint layered)) {
  return texel_i(image, placed_whole(image, SAMPLER, at, dimensions, layered));
}
SHARED(uint4, pick_ui, (Picture image, Bits bits, int4 at, uint dimensions, uint layered)) {
  return texel_ui(image, placed_whole(image, SAMPLER, at, dimensions, layered));
}
SHARED(float4, read_f, (Picture image, int4 at)) { return texel_f(image, at); }
SHARED(int4, read_i, (Picture image, int4 at)) { return texel_i(image, at); }
SHARED(uint4, read_ui, (Picture image, int4 at)) { return texel_ui(image, at); }

#define WRITE_COMPONENTS(to, value)                                                                                    \
  for (uint i = 0; i < count; i++) {                                                                                   \
    float part = c[i];                                                                                                 \
    ((__global to *)p)[i] = value;                                                                                     \
  }
#define WHOLE_PART(part, most) (uint)__builtin_rintf(fmin(fmax(part, 0.0f), 1.0f) * most)
#define SIGNED_PART(part, most) (int)__builtin_rintf(fmin(fmax(part, -1.0f), 1.0f) * most)
SHARED(void, write_f, (Picture image, int4 at, float4 color)) {
  if (!inside(image, at)) return;
  __global uchar *p = element(image, at);
  if (is_standard_rgb(image->order)) color.xyz = (float3)(from_linear(color.x), from_linear(color.y), from_linear(color.z));
  float4 c4 = scattered(image->order, color);
  float c[4] = {c4.x, c4.y, c4.z, c4.w};
  uint count = components(image->order);
  switch (image->type) {
  case CLK_SNORM_INT8: WRITE_COMPONENTS(char, (char)SIGNED_PART(part, 127.0f)) break;
  case CLK_SNORM_INT16: WRITE_COMPONENTS(short, (short)SIGNED_PART(part, 32767.0f)) break;
  case CLK_UNORM_INT8: WRITE_COMPONENTS(uchar, (uchar)WHOLE_PART(part, 255.0f)) break;
  case CLK_UNORM_INT16: WRITE_COMPONENTS(ushort, (ushort)WHOLE_PART(part, 65535.0f)) break;
  case CLK_HALF_FLOAT: WRITE_COMPONENTS(half, (half)part) break;
  case CLK_FLOAT: WRITE_COMPONENTS(float, part) break;
  case CLK_UNORM_INT24: *(__global uint *)p = (uint)__builtin_rint(fmin(fmax((double)c[0], 0.0), 1.0) * 16777215.0); break;
  case CLK_UNORM_SHORT_565:
    *(__global ushort *)p = WHOLE_PART(c[0], 31.0f) << 11 | WHOLE_PART(c[1], 63.0f) << 5 | WHOLE_PART(c[2], 31.0f);
    break;
  case CLK_UNORM_SHORT_555:
    *(__global ushort *)p = WHOLE_PART(c[0], 31.0f) << 10 | WHOLE_PART(c[1], 31.0f) << 5 | WHOLE_PART(c[2], 31.0f);
    break;
  case CLK_UNORM_INT_101010:
    *(__global uint *)p = WHOLE_PART(c[0], 1023.0f) << 20 | WHOLE_PART(c[1], 1023.0f) << 10 | WHOLE_PART(c[2], 1023.0f);
    break;
  case CLK_UNORM_INT_101010_2:
    *(__global uint *)p = WHOLE_PART(c[0], 1023.0f) << 22 | WHOLE_PART(c[1], 1023.0f) << 12 |
                          WHOLE_PART(c[2], 1023.0f) << 2 | WHOLE_PART(c[3], 3.0f);
    break;
  }
}
#define WRITE_INTEGERS(T, least, most)                                                                                 \
  for (uint i = 0; i < count; i++) ((__global T *)p)[i] = (T)clamp(c[i], least, most);
SHARED(void, write_i, (Picture image, int4 at, int4 color)) {
  if (!inside(image, at)) return;
  __global uchar *p = element(image, at);
  int4 c4 = scattered(image->order, color);
  int c[4] = {c4.x, c4.y, c4.z, c4.w};
  uint count = components(image->order);
  switch (image->type) {
  case CLK_SIGNED_INT8: WRITE_INTEGERS(char, -128, 127) break;
  case CLK_SIGNED_INT16: WRITE_INTEGERS(short, -32768, 32767) break;
  case CLK_SIGNED_INT32: WRITE_INTEGERS(int, INT_MIN, INT_MAX) break;
  }
}
SHARED(void, write_ui, (Picture image, int4 at, uint4 color)) {
  if (!inside(image, at)) return;
  __global uchar *p = element(image, at);
  uint4 c4 = scattered(image->order, color);
  uint c[4] = {c4.x, c4.y, c4.z, c4.w};
  uint count = components(image->order);
  switch (image->type) {
  case CLK_UNSIGNED_INT8: WRITE_INTEGERS(uchar, 0u, 255u) break;
  case CLK_UNSIGNED_INT16: WRITE_INTEGERS(ushort, 0u, 65535u) break;
  case CLK_UNSIGNED_INT32: WRITE_INTEGERS(uint, 0u, UINT_MAX) break;
  }
}
SHARED(uint, width, (Picture image)) { return image->width; }
SHARED(uint, height, (Picture image)) { return image->height; }
SHARED(uint, depth, (Picture image)) { return image->depth; }
SHARED(uint, layers, (Picture image)) { return image->layers; }
SHARED(uint, type, (Picture image)) { return image->type; }
SHARED(uint, order, (Picture image)) { return image->order; }

// ---- The functions themselves ----

#define AS_SHARED(R, name, parameters) __attribute__((overloadable)) R rk_##name parameters __asm__("__rt_image_" #name);
#define SHAPE_1D(V, at) (V##4)(at, 0, 0, 0)
#define SHAPE_1D_LAYERS(V, at) (V##4)(at.x, 0, at.y, 0)
#define SHAPE_2D(V, at) (V##4)(at.x, at.y, 0, 0)
#define SHAPE_4(V, at) at

#define SAMPLED(I, result, R, suffix, tail, D, L, shape, IC, FC)                                                       \
  AS_SHARED(R##4, sample_##suffix, (read_only I image, sampler_t bits, float4 at, uint dimensions, uint layered))      \
  AS_SHARED(R##4, pick_##suffix, (read_only I image, sampler_t bits, int4 at, uint dimensions, uint layered))          \
  FN result read_image##suffix(read_only I image, sampler_t sampler, FC at) {                                          \
    return rk_sample_##suffix(image, sampler, shape(float, at), D, L) tail;                                            \
  }                                                                                                                    \
  FN result read_image##suffix(read_only I image, sampler_t sampler, IC at) {                                          \
    return rk_pick_##suffix(image, sampler, shape(int, at), D, L) tail;                                                \
  }
#define READ(access, I, result, R, suffix, tail, shape, IC)                                                            \
  AS_SHARED(R##4, read_##suffix, (access I image, int4 at))                                                            \
  FN result read_image##suffix(access I image, IC at) { return rk_read_##suffix(image, shape(int, at)) tail; }
#define WRITTEN(access, I, T, R, suffix, full, shape, IC)                                                              \
  AS_SHARED(void, write_##suffix, (access I image, int4 at, R##4 color))                                               \
  FN void write_image##suffix(access I image, IC at, T color) { rk_write_##suffix(image, shape(int, at), full(color)); }
#define FULL(color) color
#define FULL_DEPTH(color) (float4)(color, 0, 0, 1)
#define ASKED(access, I)                                                                                               \
  AS_SHARED(uint, width, (access I image))                                                                             \
  AS_SHARED(uint, height, (access I image))                                                                            \
  AS_SHARED(uint, depth, (access I image))                                                                             \
  AS_SHARED(uint, layers, (access I image))                                                                            \
  AS_SHARED(uint, type, (access I image))                                                                              \
  AS_SHARED(uint, order, (access I image))                                                                             \
  FN int get_image_width(access I image) { return rk_width(image); }                                                   \
  FN int get_image_channel_data_type(access I image) { return rk_type(image); }                                        \
  FN int get_image_channel_order(access I image) { return rk_order(image); }
#define ASKED_HEIGHT(access, I)                                                                                        \
  FN int get_image_height(access I image) { return rk_height(image); }                                                 \
  FN int2 get_image_dim(access I image) { return (int2)(rk_width(image), rk_height(image)); }
#define ASKED_DEPTH(access, I)                                                                                         \
  FN int get_image_height(access I image) { return rk_height(image); }                                                 \
  FN int get_image_depth(access I image) { return rk_depth(image); }                                                   \
  FN int4 get_image_dim(access I image) { return (int4)(rk_width(image), rk_height(image), rk_depth(image), 0); }
#define ASKED_LAYERS(access, I)                                                                                        \
  FN size_t get_image_array_size(access I image) { return rk_layers(image); }
#define FOR_ACCESS(of, I) of(read_only, I) of(write_only, I) of(read_write, I)

#define COLORS_READ(access, I, shape, IC)                                                                              \
  READ(access, I, float4, float, f, , shape, IC)                                                                       \
  READ(access, I, int4, int, i, , shape, IC)                                                                           \
  READ(access, I, uint4, uint, ui, , shape, IC)                                                                        \
  FN half4 read_imageh(access I image, IC at) { return __builtin_convertvector(read_imagef(image, at), half4); }
#define COLORS_WRITTEN(access, I, shape, IC)                                                                           \
  WRITTEN(access, I, float4, float, f, FULL, shape, IC)                                                                \
  WRITTEN(access, I, int4, int, i, FULL, shape, IC)                                                                    \
  WRITTEN(access, I, uint4, uint, ui, FULL, shape, IC)                                                                 \
  FN void write_imageh(access I image, IC at, half4 color) {                                                           \
    write_imagef(image, at, __builtin_convertvector(color, float4));                                                   \
  }
#define COLORS_SAMPLED(I, D, L, shape, IC, FC)                                                                         \
  SAMPLED(I, float4, float, f, , D, L, shape, IC, FC)                                                                  \
  SAMPLED(I, int4, int, i, , D, L, shape, IC, FC)                                                                      \
  SAMPLED(I, uint4, uint, ui, , D, L, shape, IC, FC)                                                                   \
  FN half4 read_imageh(read_only I image, sampler_t sampler, FC at) {                                                  \
    return __builtin_convertvector(read_imagef(image, sampler, at), half4);                                            \
  }                                                                                                                    \
  FN half4 read_imageh(read_only I image, sampler_t sampler, IC at) {                                                  \
    return __builtin_convertvector(read_imagef(image, sampler, at), half4);                                            \
  }
#define COLORS_OF(I, shape, IC)                                                                                        \
  COLORS_READ(read_only, I, shape, IC)                                                                                 \
  COLORS_READ(read_write, I, shape, IC)                                                                                \
  COLORS_WRITTEN(write_only, I, shape, IC)                                                                             \
  COLORS_WRITTEN(read_write, I, shape, IC)                                                                             \
  FOR_ACCESS(ASKED, I)
COLORS_OF(image1d_t, SHAPE_1D, int)
COLORS_SAMPLED(image1d_t, 1, 0, SHAPE_1D, int, float)
COLORS_OF(image1d_buffer_t, SHAPE_1D, int)
COLORS_OF(image1d_array_t, SHAPE_1D_LAYERS, int2)
COLORS_SAMPLED(image1d_array_t, 1, 1, SHAPE_1D_LAYERS, int2, float2)
FOR_ACCESS(ASKED_LAYERS, image1d_array_t)
COLORS_OF(image2d_t, SHAPE_2D, int2)
COLORS_SAMPLED(image2d_t, 2, 0, SHAPE_2D, int2, float2)
FOR_ACCESS(ASKED_HEIGHT, image2d_t)
COLORS_OF(image2d_array_t, SHAPE_4, int4)
COLORS_SAMPLED(image2d_array_t, 2, 1, SHAPE_4, int4, float4)
FOR_ACCESS(ASKED_HEIGHT, image2d_array_t)
FOR_ACCESS(ASKED_LAYERS, image2d_array_t)
COLORS_OF(image3d_t, SHAPE_4, int4)
COLORS_SAMPLED(image3d_t, 3, 0, SHAPE_4, int4, float4)
FOR_ACCESS(ASKED_DEPTH, image3d_t)

// Images of depths have one component.
#define DEPTHS_OF(I, D, L, shape, IC, FC)                                                                              \
  SAMPLED(I, float, float, f, .x, D, L, shape, IC, FC)                                                                 \
  READ(read_only, I, float, float, f, .x, shape, IC)                                                                   \
  READ(read_write, I, float, float, f, .x, shape, IC)                                                                  \
  WRITTEN(write_only, I, float, float, f, FULL_DEPTH, shape, IC)                                                       \
  WRITTEN(read_write, I, float, float, f, FULL_DEPTH, shape, IC)                                                       \
  FOR_ACCESS(ASKED, I)                                                                                                 \
  FOR_ACCESS(ASKED_HEIGHT, I)
DEPTHS_OF(image2d_depth_t, 2, 0, SHAPE_2D, int2, float2)
DEPTHS_OF(image2d_array_depth_t, 2, 1, SHAPE_4, int4, float4)
FOR_ACCESS(ASKED_LAYERS, image2d_array_depth_t)
