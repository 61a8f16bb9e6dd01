/** Two to four numbers: `float4` of CUDA. */
export interface KernelVector2 {
  x: number;
  y: number;
}
/** Three numbers. */
export interface KernelVector3 extends KernelVector2 {
  z: number;
}
/** Four numbers. */
export interface KernelVector4 extends KernelVector3 {
  w: number;
}

/** Vectors by their numbers of lanes. */
export interface KernelVectors {
  2: KernelVector2;
  3: KernelVector3;
  4: KernelVector4;
}
