// Reads at places given by the test, writes of colours given by it.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
constant sampler_t in_source = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

#define SAMPLE(name, I, C, P, shape_f, shape_i)                                                                        \
  kernel void sample_##name(read_only I image, sampler_t sampler, global const float4 *at, global float4 *out) {       \
    int i = get_global_id(0);                                                                                          \
    float4 p = at[i];                                                                                                  \
    out[i] = read_imagef(image, sampler, shape_f);                                                                     \
  }                                                                                                                    \
  kernel void pick_##name(read_only I image, sampler_t sampler, global const int4 *at, global float4 *out) {           \
    int i = get_global_id(0);                                                                                          \
    int4 p = at[i];                                                                                                    \
    out[i] = read_imagef(image, sampler, shape_i);                                                                     \
  }
SAMPLE(1d, image1d_t, float, int, p.x, p.x)
SAMPLE(1d_layers, image1d_array_t, float2, int2, p.xy, p.xy)
SAMPLE(2d, image2d_t, float2, int2, p.xy, p.xy)
SAMPLE(2d_layers, image2d_array_t, float4, int4, p, p)
SAMPLE(3d, image3d_t, float4, int4, p, p)

kernel void read_f(read_only image2d_t image, global float4 *out) {
  int x = get_global_id(0);
  out[x] = read_imagef(image, (int2)(x, 0));
}
kernel void read_i(read_only image2d_t image, global int4 *out) {
  int x = get_global_id(0);
  out[x] = read_imagei(image, in_source, (int2)(x, 0));
}
kernel void read_ui(read_only image2d_t image, global uint4 *out) {
  int x = get_global_id(0);
  out[x] = read_imageui(image, in_source, (float2)(x + 0.5f, 0.5f));
}
kernel void write_f(write_only image2d_t image, global const float4 *colors) {
  int x = get_global_id(0);
  write_imagef(image, (int2)(x, 0), colors[x]);
}
kernel void write_i(write_only image2d_t image, global const int4 *colors) {
  int x = get_global_id(0);
  write_imagei(image, (int2)(x, 0), colors[x]);
}
kernel void write_ui(write_only image2d_t image, global const uint4 *colors) {
  int x = get_global_id(0);
  write_imageui(image, (int2)(x, 0), colors[x]);
}

// Coordinates of all kinds, as a value at each element: x + 10 y + 100 z.
kernel void fill_1d(write_only image1d_t image) {
  int x = get_global_id(0);
  write_imagef(image, x, (float4)(x));
}
kernel void fill_buffer(write_only image1d_buffer_t image) {
  int x = get_global_id(0);
  write_imageui(image, x, (uint4)(x));
}
kernel void fill_1d_layers(write_only image1d_array_t image) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imagef(image, (int2)(x, y), (float4)(x + 10 * y));
}
kernel void fill_2d_layers(write_only image2d_array_t image) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  write_imagef(image, (int4)(x, y, z, 0), (float4)(x + 10 * y + 100 * z));
}
kernel void fill_3d(write_only image3d_t image) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  write_imagef(image, (int4)(x, y, z, 0), (float4)(x + 10 * y + 100 * z));
}
kernel void add_to(read_write image2d_t image) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(image, at, read_imagef(image, at) + 1);
}
kernel void sum_buffer(read_only image1d_buffer_t image, global uint *out) {
  uint sum = 0;
  for (int x = 0; x < get_image_width(image); x++) sum += read_imageui(image, x).x;
  out[0] = sum;
}
kernel void depths(read_only image2d_depth_t in, write_only image2d_depth_t out, sampler_t sampler, global float *r) {
  r[0] = read_imagef(in, sampler, (float2)(1, 1)), r[1] = read_imagef(in, (int2)(1, 0));
  write_imagef(out, (int2)(0, 1), 0.75f);
}
kernel void narrow(read_only image2d_t in, write_only image2d_t out) {
  write_imageh(out, (int2)(0, 0), read_imageh(in, in_source, (int2)(1, 0)) + (half4)1);
}

kernel void asked(read_only image1d_t a, write_only image1d_array_t b, read_write image2d_t c, read_only image2d_array_t d,
                  read_only image3d_t e, read_only image1d_buffer_t f, global int *r) {
  r[0] = get_image_width(a), r[1] = get_image_channel_order(a) == CLK_RGBA, r[2] = get_image_channel_data_type(a) == CLK_FLOAT;
  r[3] = get_image_width(b), r[4] = get_image_array_size(b);
  r[5] = get_image_width(c), r[6] = get_image_height(c), r[7] = get_image_dim(c).y;
  r[8] = get_image_height(d), r[9] = get_image_array_size(d), r[10] = get_image_dim(d).x;
  r[11] = get_image_depth(e), r[12] = get_image_dim(e).z, r[13] = get_image_height(e);
  r[14] = get_image_width(f), r[15] = get_image_channel_data_type(f) == CLK_UNSIGNED_INT32;
}

// Functions take images and samplers as arguments.
float4 twice(read_only image2d_t image, sampler_t sampler, float2 at) { return 2 * read_imagef(image, sampler, at); }
kernel void through(read_only image2d_t image, global float4 *out) {
  const sampler_t own = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
  out[0] = twice(image, own, (float2)(1.5f, -0.25f));
  out[1] = twice(image, in_source, (float2)(1.5f, 0));
}
