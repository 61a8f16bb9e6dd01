/**
 * Where things are in the record in device memory that the handle of a CUDA texture or surface leads to: `Image` in
 * kernels/cpu/runtime/image-record.h.
 */
export const ImageRecord = {
  /** 32 bits each: one of `ImageMark`; bits of `ImageFlag`. */
  MARK: 0,
  FLAGS: 4,
  /** 64 bits: the address of the first element. */
  DATA: 8,
  /** 32 bits each: elements; 1 where the image has no such dimension. */
  WIDTH: 16,
  HEIGHT: 20,
  DEPTH: 24,
  LAYERS: 28,
  /** 64 bits each: bytes. */
  ROW_PITCH: 32,
  SLICE_PITCH: 40,
  /** 32 bits each: bytes of an element; an `ImagePart`, and the power of two of how many there are. */
  ELEMENT_BYTES: 48,
  FORMAT: 52,
  /** 32 bits each: the bytes of an element and of its parts; an `ImageQuick`. */
  KEY: 56,
  QUICK: 60,
  /** Three floats each: what turns coordinates into elements; the last elements. */
  SCALE: 64,
  LAST: 76,
  /** 32 bits, then floats. */
  LEVELS: 88,
  BIAS: 92,
  LEAST_LEVEL: 96,
  MOST_LEVEL: 100,
  /** 32 bits each: the most samples of a slanted view; bits of `ImageForm`. */
  SLANTED: 104,
  FORM: 108,
  /** Four words, as a read gives them. */
  BORDER: 112,
  /** 64 bits: the address of the linear values of bytes in sRGB. */
  LINEAR: 128,
  /** The levels follow. */
  LEVEL: 144,
} as const;

/** Where things are in the record of a level. */
export const LevelRecord = {
  DATA: 0,
  ROW_PITCH: 8,
  SLICE_PITCH: 16,
  WIDTH: 24,
  HEIGHT: 28,
  DEPTH: 32,
  LAYERS: 36,
  BYTES: 40,
} as const;

/** What tells a record from other memory; a destroyed object has its complement. */
export const ImageMark = { TEXTURE: 0x7478_6574, SURFACE: 0x6672_7573 } as const;

/** How a texture is read; the address modes of x, y and z are the lowest three pairs of bits. */
export const ImageFlag = { LINEAR: 0x40, BETWEEN_LEVELS: 0x80, NORMALIZED: 0x100, SEAMLESS: 0x200 } as const;

/** The numbers of an element, as a read gives them: UN and SN are integers that are read as 0 or -1 to 1. */
export const ImagePart = {
  U8: 0,
  U16: 1,
  U32: 2,
  I8: 3,
  I16: 4,
  I32: 5,
  F16: 6,
  F32: 7,
  UN8: 8,
  UN16: 9,
  SN8: 10,
  SN16: 11,
  SRGB: 12,
} as const;

/**
 * Which reads the kernel's own code does, without a call: of the element at an index; of the nearest element, or of a
 * blend, where coordinates outside count as those at the edge.
 */
export const ImageQuick = { NONE: 0, RAW: 0x7a10, POINT: 0x7a11, BLENDED: 0x7a12 } as const;

/** What functions of kernels an object is for; the lowest bits are its dimensions, 0 for a cube. */
export const ImageForm = { DIMENSIONS: 3, LAYERED: 4, CUBE: 8, LINEAR_MEMORY: 16 } as const;

/** Where things are in the variable of a texture or surface reference: `texture` in rawkernel/texture_references.h. */
export const ReferenceRecord = {
  /** 64 bits: the handle of what is bound; the variable's own address where nothing can be read. */
  HANDLE: 0,
  /** 32 bits each: its number in the program's list; why nothing can be read, an `Unreadable`. */
  NUMBER: 8,
  REASON: 12,
} as const;

/** Why a reference cannot be read; the bits above the first eight tell more of some reasons. */
export const Unreadable = {
  /** Nothing is bound. */
  UNBOUND: 0,
  /** The elements do not fit its type. Above: the record's format. */
  WRONG_TYPE: 1,
  /** Its kind is for another form. Above: the form of what is bound. */
  WRONG_FORM: 2,
  /** The settings do not fit each other, such as a linear filter and integers. */
  SETTINGS: 3,
} as const;
