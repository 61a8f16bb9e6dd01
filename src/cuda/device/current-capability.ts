import { currentDevice } from './context.ts';
import type { Device } from './device.ts';

/** The compute capability of a device, ten times major plus minor. */
export function capabilityOf(device: Device): number {
  const [major, minor] = device.computeCapability;
  return major * 10 + minor;
}

/**
 * That of the current context's device.
 *
 * @throws {@link CudaLogicError} no context is current
 */
export function currentCapability(): number {
  return capabilityOf(currentDevice());
}
