import { status } from '../../opencl/sys/enums.ts';

type Statuses = typeof status;

/** OpenCL's statuses without their prefix: `Code.INVALID_VALUE`. */
export const Code: {
  readonly [Name in keyof Statuses as Name extends `CL_${infer Rest}` ? Rest : never]: Statuses[Name][0];
} = Object.fromEntries(Object.entries(status).map(([name, [value]]) => [name.slice(3), value])) as never;
