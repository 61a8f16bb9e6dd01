import {
  MemFlags,
  MigrationFlags,
  ChannelOrder,
  ChannelType,
  MemObjectType,
  MemInfo,
  ImageInfo,
  AddressingMode,
  FilterMode,
  SamplerInfo,
  MapFlags,
  BufferCreateType,
} from '../../opencl/sys/enums.ts';

// Of buffers, images and samplers, named as in the header but for its CL_.

export const MEM_READ_WRITE: typeof MemFlags.READ_WRITE = MemFlags.READ_WRITE;
export const MEM_WRITE_ONLY: typeof MemFlags.WRITE_ONLY = MemFlags.WRITE_ONLY;
export const MEM_READ_ONLY: typeof MemFlags.READ_ONLY = MemFlags.READ_ONLY;
export const MEM_USE_HOST_PTR: typeof MemFlags.USE_HOST_PTR = MemFlags.USE_HOST_PTR;
export const MEM_ALLOC_HOST_PTR: typeof MemFlags.ALLOC_HOST_PTR = MemFlags.ALLOC_HOST_PTR;
export const MEM_COPY_HOST_PTR: typeof MemFlags.COPY_HOST_PTR = MemFlags.COPY_HOST_PTR;
export const MEM_HOST_WRITE_ONLY: typeof MemFlags.HOST_WRITE_ONLY = MemFlags.HOST_WRITE_ONLY;
export const MEM_HOST_READ_ONLY: typeof MemFlags.HOST_READ_ONLY = MemFlags.HOST_READ_ONLY;
export const MEM_HOST_NO_ACCESS: typeof MemFlags.HOST_NO_ACCESS = MemFlags.HOST_NO_ACCESS;
export const MIGRATE_MEM_OBJECT_HOST: typeof MigrationFlags.HOST = MigrationFlags.HOST;
export const MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED: typeof MigrationFlags.CONTENT_UNDEFINED =
  MigrationFlags.CONTENT_UNDEFINED;
export const R: typeof ChannelOrder.R = ChannelOrder.R;
export const A: typeof ChannelOrder.A = ChannelOrder.A;
export const RG: typeof ChannelOrder.RG = ChannelOrder.RG;
export const RA: typeof ChannelOrder.RA = ChannelOrder.RA;
export const RGB: typeof ChannelOrder.RGB = ChannelOrder.RGB;
export const RGBA: typeof ChannelOrder.RGBA = ChannelOrder.RGBA;
export const BGRA: typeof ChannelOrder.BGRA = ChannelOrder.BGRA;
export const ARGB: typeof ChannelOrder.ARGB = ChannelOrder.ARGB;
export const INTENSITY: typeof ChannelOrder.INTENSITY = ChannelOrder.INTENSITY;
export const LUMINANCE: typeof ChannelOrder.LUMINANCE = ChannelOrder.LUMINANCE;
export const Rx: typeof ChannelOrder.Rx = ChannelOrder.Rx;
export const RGx: typeof ChannelOrder.RGx = ChannelOrder.RGx;
export const RGBx: typeof ChannelOrder.RGBx = ChannelOrder.RGBx;
export const DEPTH: typeof ChannelOrder.DEPTH = ChannelOrder.DEPTH;
// Of images shared with OpenGL.
export const DEPTH_STENCIL = 0x10be;
export const SNORM_INT8: typeof ChannelType.SNORM_INT8 = ChannelType.SNORM_INT8;
export const SNORM_INT16: typeof ChannelType.SNORM_INT16 = ChannelType.SNORM_INT16;
export const UNORM_INT8: typeof ChannelType.UNORM_INT8 = ChannelType.UNORM_INT8;
export const UNORM_INT16: typeof ChannelType.UNORM_INT16 = ChannelType.UNORM_INT16;
export const UNORM_SHORT_565: typeof ChannelType.UNORM_SHORT_565 = ChannelType.UNORM_SHORT_565;
export const UNORM_SHORT_555: typeof ChannelType.UNORM_SHORT_555 = ChannelType.UNORM_SHORT_555;
export const UNORM_INT_101010: typeof ChannelType.UNORM_INT_101010 = ChannelType.UNORM_INT_101010;
export const SIGNED_INT8: typeof ChannelType.SIGNED_INT8 = ChannelType.SIGNED_INT8;
export const SIGNED_INT16: typeof ChannelType.SIGNED_INT16 = ChannelType.SIGNED_INT16;
export const SIGNED_INT32: typeof ChannelType.SIGNED_INT32 = ChannelType.SIGNED_INT32;
export const UNSIGNED_INT8: typeof ChannelType.UNSIGNED_INT8 = ChannelType.UNSIGNED_INT8;
export const UNSIGNED_INT16: typeof ChannelType.UNSIGNED_INT16 = ChannelType.UNSIGNED_INT16;
export const UNSIGNED_INT32: typeof ChannelType.UNSIGNED_INT32 = ChannelType.UNSIGNED_INT32;
export const HALF_FLOAT: typeof ChannelType.HALF_FLOAT = ChannelType.HALF_FLOAT;
export const FLOAT: typeof ChannelType.FLOAT = ChannelType.FLOAT;
export const MEM_OBJECT_BUFFER: typeof MemObjectType.BUFFER = MemObjectType.BUFFER;
export const MEM_OBJECT_IMAGE2D: typeof MemObjectType.IMAGE2D = MemObjectType.IMAGE2D;
export const MEM_OBJECT_IMAGE3D: typeof MemObjectType.IMAGE3D = MemObjectType.IMAGE3D;
export const MEM_OBJECT_IMAGE2D_ARRAY: typeof MemObjectType.IMAGE2D_ARRAY = MemObjectType.IMAGE2D_ARRAY;
export const MEM_OBJECT_IMAGE1D: typeof MemObjectType.IMAGE1D = MemObjectType.IMAGE1D;
export const MEM_OBJECT_IMAGE1D_ARRAY: typeof MemObjectType.IMAGE1D_ARRAY = MemObjectType.IMAGE1D_ARRAY;
export const MEM_OBJECT_IMAGE1D_BUFFER: typeof MemObjectType.IMAGE1D_BUFFER = MemObjectType.IMAGE1D_BUFFER;
export const MEM_TYPE: (typeof MemInfo.TYPE)[0] = MemInfo.TYPE[0];
export const MEM_FLAGS: (typeof MemInfo.FLAGS)[0] = MemInfo.FLAGS[0];
export const MEM_SIZE: (typeof MemInfo.SIZE)[0] = MemInfo.SIZE[0];
export const MEM_HOST_PTR: (typeof MemInfo.HOST_PTR)[0] = MemInfo.HOST_PTR[0];
export const MEM_MAP_COUNT: (typeof MemInfo.MAP_COUNT)[0] = MemInfo.MAP_COUNT[0];
export const MEM_REFERENCE_COUNT: (typeof MemInfo.REFERENCE_COUNT)[0] = MemInfo.REFERENCE_COUNT[0];
export const MEM_CONTEXT: (typeof MemInfo.CONTEXT)[0] = MemInfo.CONTEXT[0];
export const MEM_ASSOCIATED_MEMOBJECT: (typeof MemInfo.ASSOCIATED_MEMOBJECT)[0] = MemInfo.ASSOCIATED_MEMOBJECT[0];
export const MEM_OFFSET: (typeof MemInfo.OFFSET)[0] = MemInfo.OFFSET[0];
export const IMAGE_FORMAT: (typeof ImageInfo.FORMAT)[0] = ImageInfo.FORMAT[0];
export const IMAGE_ELEMENT_SIZE: (typeof ImageInfo.ELEMENT_SIZE)[0] = ImageInfo.ELEMENT_SIZE[0];
export const IMAGE_ROW_PITCH: (typeof ImageInfo.ROW_PITCH)[0] = ImageInfo.ROW_PITCH[0];
export const IMAGE_SLICE_PITCH: (typeof ImageInfo.SLICE_PITCH)[0] = ImageInfo.SLICE_PITCH[0];
export const IMAGE_WIDTH: (typeof ImageInfo.WIDTH)[0] = ImageInfo.WIDTH[0];
export const IMAGE_HEIGHT: (typeof ImageInfo.HEIGHT)[0] = ImageInfo.HEIGHT[0];
export const IMAGE_DEPTH: (typeof ImageInfo.DEPTH)[0] = ImageInfo.DEPTH[0];
export const IMAGE_ARRAY_SIZE: (typeof ImageInfo.ARRAY_SIZE)[0] = ImageInfo.ARRAY_SIZE[0];
export const IMAGE_BUFFER: (typeof ImageInfo.BUFFER)[0] = ImageInfo.BUFFER[0];
export const IMAGE_NUM_MIP_LEVELS: (typeof ImageInfo.NUM_MIP_LEVELS)[0] = ImageInfo.NUM_MIP_LEVELS[0];
export const IMAGE_NUM_SAMPLES: (typeof ImageInfo.NUM_SAMPLES)[0] = ImageInfo.NUM_SAMPLES[0];
export const ADDRESS_NONE: typeof AddressingMode.NONE = AddressingMode.NONE;
export const ADDRESS_CLAMP_TO_EDGE: typeof AddressingMode.CLAMP_TO_EDGE = AddressingMode.CLAMP_TO_EDGE;
export const ADDRESS_CLAMP: typeof AddressingMode.CLAMP = AddressingMode.CLAMP;
export const ADDRESS_REPEAT: typeof AddressingMode.REPEAT = AddressingMode.REPEAT;
export const ADDRESS_MIRRORED_REPEAT: typeof AddressingMode.MIRRORED_REPEAT = AddressingMode.MIRRORED_REPEAT;
export const FILTER_NEAREST: typeof FilterMode.NEAREST = FilterMode.NEAREST;
export const FILTER_LINEAR: typeof FilterMode.LINEAR = FilterMode.LINEAR;
export const SAMPLER_REFERENCE_COUNT: (typeof SamplerInfo.REFERENCE_COUNT)[0] = SamplerInfo.REFERENCE_COUNT[0];
export const SAMPLER_CONTEXT: (typeof SamplerInfo.CONTEXT)[0] = SamplerInfo.CONTEXT[0];
export const SAMPLER_NORMALIZED_COORDS: (typeof SamplerInfo.NORMALIZED_COORDS)[0] = SamplerInfo.NORMALIZED_COORDS[0];
export const SAMPLER_ADDRESSING_MODE: (typeof SamplerInfo.ADDRESSING_MODE)[0] = SamplerInfo.ADDRESSING_MODE[0];
export const SAMPLER_FILTER_MODE: (typeof SamplerInfo.FILTER_MODE)[0] = SamplerInfo.FILTER_MODE[0];
export const MAP_READ: typeof MapFlags.READ = MapFlags.READ;
export const MAP_WRITE: typeof MapFlags.WRITE = MapFlags.WRITE;
export const MAP_WRITE_INVALIDATE_REGION: typeof MapFlags.WRITE_INVALIDATE_REGION = MapFlags.WRITE_INVALIDATE_REGION;
export const BUFFER_CREATE_TYPE_REGION: typeof BufferCreateType.REGION = BufferCreateType.REGION;
