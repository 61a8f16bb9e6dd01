/** Where things are in the record in device memory that stands for an image in a kernel's arguments. */
export const ImageRecord = {
  /** 64 bits: the address of the first element. */
  DATA: 0,
  /** 32 bits each: elements; 1 where the image has no such dimension. */
  WIDTH: 8,
  HEIGHT: 12,
  DEPTH: 16,
  ARRAY_SIZE: 20,
  /** 64 bits each: bytes. */
  ROW_PITCH: 24,
  SLICE_PITCH: 32,
  /** 32 bits: `CL_RGBA` and the like. */
  CHANNEL_ORDER: 40,
  /** 32 bits: `CL_UNORM_INT8` and the like. */
  CHANNEL_TYPE: 44,
  /** 32 bits: bytes of an element. */
  ELEMENT_BYTES: 48,
  /** 32 bits each. */
  MIP_LEVELS: 52,
  SAMPLES: 56,
  BYTES: 64,
} as const;

/** Bits of a sampler as a kernel's argument: one of each group, or'ed together. */
export const SamplerBits = {
  NORMALIZED: 1,
  ADDRESS_NONE: 0,
  ADDRESS_CLAMP_TO_EDGE: 2,
  ADDRESS_CLAMP: 4,
  ADDRESS_REPEAT: 6,
  ADDRESS_MIRRORED_REPEAT: 8,
  FILTER_NEAREST: 0x10,
  FILTER_LINEAR: 0x20,
} as const;
