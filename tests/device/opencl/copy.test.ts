import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { flightCount, sweepFlights } from '../../../src/core/in-flight.ts';
import * as cl from '../../../src/opencl/index.ts';
import { lacks, numbers, openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';
import { until } from '../../helpers/until.ts';

const mf = cl.MemFlags;

needs.opencl().describe.each(openclRows)('%s', (_, device) => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;
  const without = (): boolean => lacks(device, 'images', device.imageSupport);

  beforeAll(() => {
    ctx = new cl.Context(device);
    queue = new cl.CommandQueue(ctx);
  });
  afterAll(() => {
    queue.close();
    ctx.close();
  });

  const counting = (count: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length: count }, (__, i) => i);
  const bufferOf = (bytes: Uint8Array): cl.Buffer => new cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, bytes);
  const contentOf = (from: cl.Buffer | cl.Image, count: number): number[] => {
    const content = new Uint8Array(count);
    cl.enqueueCopy(queue, content, from);
    return [...content];
  };
  const bytes = new cl.ImageFormat(cl.ChannelOrder.R, cl.ChannelType.UNSIGNED_INT8);
  const imageOf = (shape: cl.ImageSize | cl.ImageDescriptor, content?: Uint8Array): cl.Image =>
    content
      ? new cl.Image(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, bytes, shape, content)
      : new cl.Image(ctx, mf.READ_WRITE, bytes, shape);

  test('enqueueCopy takes what fits, from large to small and from small to large, in every direction', () => {
    using large = bufferOf(counting(8));
    using small = bufferOf(Uint8Array.of(50, 51, 52));
    cl.enqueueCopy(queue, small, large);
    expect(contentOf(small, 3)).toEqual([0, 1, 2]);
    cl.enqueueCopy(queue, large, small, { dstOffset: 5 });
    expect(contentOf(large, 8)).toEqual([0, 1, 2, 3, 4, 0, 1, 2]);
    const three = new Uint8Array(3);
    cl.enqueueCopy(queue, three, large, { srcOffset: 4 });
    expect([...three]).toEqual([4, 0, 1]);
    expect(() => cl.enqueueCopy(queue, new Uint8Array(9), large)).toThrow(/9 bytes go beyond src: the buffer has 8/);
    expect(() => cl.enqueueCopy(queue, small, counting(4))).toThrow(/4 bytes go beyond dest: the buffer has 3/);
    if (without()) return;
    using wide = imageOf([4, 2], counting(8));
    using narrow = imageOf([3, 3], new Uint8Array(9));
    cl.enqueueCopy(queue, narrow, wide);
    expect(contentOf(narrow, 9)).toEqual([0, 1, 2, 4, 5, 6, 0, 0, 0]);
    cl.enqueueCopy(queue, wide, narrow, { srcOrigin: [0, 1], dstOrigin: [2, 0] });
    expect(contentOf(wide, 8)).toEqual([0, 1, 4, 5, 4, 5, 0, 0]);
  });

  test('enqueueCopy of rectangles goes from the host to a buffer, on to another and back', () => {
    // A part of 2 rows of 3 bytes of a host array with rows of 8.
    const host = counting(48);
    const part = [...Array(2).keys()].flatMap((y) => [...host.subarray(8 * (y + 2) + 3, 8 * (y + 2) + 6)]);
    using one = new cl.Buffer(ctx, mf.READ_WRITE, 20);
    using other = new cl.Buffer(ctx, mf.READ_WRITE, 40);
    for (const buffer of [one, other]) cl.enqueueFill(queue, buffer, 0);
    const region: cl.Extent = [3, 2];
    cl.enqueueCopy(queue, one, host, {
      hostOrigin: [3, 2],
      bufferOrigin: [1, 1],
      region,
      hostPitches: [8],
      bufferPitches: [5],
    });
    expect(contentOf(one, 20)).toEqual([
      0,
      0,
      0,
      0,
      0,
      0,
      ...part.slice(0, 3),
      0,
      0,
      ...part.slice(3),
      0,
      0,
      0,
      0,
      0,
      0,
    ]);
    cl.enqueueCopy(queue, other, one, {
      srcOrigin: [1, 1],
      dstOrigin: [6, 2],
      region,
      srcPitches: [5],
      dstPitches: [10],
    });
    const back = new Uint8Array(12);
    cl.enqueueCopy(queue, back, other, {
      bufferOrigin: [6, 2],
      hostOrigin: [1],
      region,
      bufferPitches: [10],
      hostPitches: [6],
    });
    expect([...back]).toEqual([0, ...part.slice(0, 3), 0, 0, 0, ...part.slice(3), 0, 0]);
  });

  test('enqueueCopy of boxes equals the part of the array', () => {
    const [width, height, depth] = [7, 5, 4];
    const data = Float32Array.from(numbers(width * height * depth, 9));
    const at = (x: number, y: number, z: number): number => data[(z * height + y) * width + x] ?? NaN;
    using buffer = new cl.Buffer(ctx, mf.READ_WRITE, data.byteLength);
    cl.enqueueCopy(queue, buffer, data, {
      region: [width * 4, height, depth],
      hostPitches: [width * 4, width * height * 4],
    });
    const [x0, y0, z0] = [2, 1, 1];
    const box = new Float32Array(3 * 2 * 3);
    cl.enqueueCopy(queue, box, buffer, {
      bufferOrigin: [x0 * 4, y0, z0],
      bufferPitches: [width * 4, width * height * 4],
      region: [3 * 4, 2, 3],
    });
    const expected = [0, 1, 2].flatMap((z) => [0, 1].flatMap((y) => [0, 1, 2].map((x) => at(x0 + x, y0 + y, z0 + z))));
    expect([...box]).toEqual(expected);
  });

  test('enqueueCopy of rectangles defaults: pitches as the region, origins 0', () => {
    using buffer = bufferOf(counting(12));
    const host = new Uint8Array(6);
    cl.enqueueCopy(queue, host, buffer, { region: [3, 2] });
    expect([...host]).toEqual([0, 1, 2, 3, 4, 5]);
    cl.enqueueCopy(queue, host, buffer, { region: [3, 2], bufferPitches: 6 });
    expect([...host]).toEqual([0, 1, 2, 6, 7, 8]);
    cl.enqueueCopy(queue, buffer, buffer, { dstOrigin: [3], srcPitches: 6, dstPitches: 6, region: [3, 2] });
    expect(contentOf(buffer, 12)).toEqual([0, 1, 2, 0, 1, 2, 6, 7, 8, 6, 7, 8]);
  });

  test('enqueueCopy of rectangles refuses what does not fit', () => {
    using buffer = bufferOf(counting(12));
    const host = new Uint8Array(12);
    const copy = (options: object) => (): cl.Event => cl.enqueueCopy(queue, host, buffer, options);
    expect(copy({ bufferOrigin: [1, 1] })).toThrow('needs its region');
    expect(copy({ region: [4, 4] })).toThrow(/ends at byte 16; there are 12/);
    expect(copy({ region: [3, 2], bufferOrigin: [1, 1], bufferPitches: 8 })).toThrow(/ends at byte 20/);
    expect(copy({ region: [3, 2], hostOrigin: [0, 3] })).toThrow(/hostOrigin/);
    expect(copy({ region: [3, 2], hostPitches: 2 })).toThrow(/hostPitches: the row pitch must be at least 3 bytes/);
    expect(copy({ region: [3, 2, 2], hostPitches: [3, 7] })).toThrow(/multiple of the row pitch/);
    expect(copy({ region: [2 ** 40, 1] })).toThrow(RangeError);
    for (const region of [[0, 1], [-1], [NaN], [1.5], [1, 1, 1, 1], [], 'a', null])
      expect(copy({ region })).toThrow(/region/);
    expect(copy({ region: [3], srcOrigin: [0] })).toThrow("no option 'srcOrigin'");
    expect(copy({ region: [3], byteLength: 3 })).toThrow("no option 'byteLength'");
    const within = (options: object) => (): cl.Event => cl.enqueueCopy(queue, buffer, buffer, options);
    expect(within({ region: [3, 2], dstOrigin: [1] })).toThrow('overlap');
    expect(within({ region: [3, 2], srcPitches: 6, dstPitches: 6, dstOrigin: [2] })).toThrow('overlap');
    expect(within({ region: [3, 2], srcPitches: 6, dstPitches: 4 })).toThrow('must be the same');
  });

  test('enqueueCopy between images, buffers and the host moves parts', () => {
    if (without()) return;
    using image = imageOf([4, 3], new Uint8Array(12));
    cl.enqueueCopy(queue, image, Uint8Array.of(1, 2, 9, 3, 4, 9), { origin: [1, 1], region: [2, 2], pitches: 3 });
    expect(contentOf(image, 12)).toEqual([0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0]);
    using buffer = bufferOf(new Uint8Array(6));
    cl.enqueueCopy(queue, buffer, image, { origin: [1, 1], region: [2, 2], offset: 2 });
    expect(contentOf(buffer, 6)).toEqual([0, 0, 1, 2, 3, 4]);
    cl.enqueueCopy(queue, image, buffer, { origin: [0, 0], region: [3, 1], offset: 3 });
    expect(contentOf(image, 12).slice(0, 4)).toEqual([2, 3, 4, 0]);
    using all = bufferOf(new Uint8Array(16));
    cl.enqueueCopy(queue, all, image);
    expect(contentOf(all, 16)).toEqual([2, 3, 4, 0, 0, 1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 0]);
    const rows = new Uint8Array(10);
    cl.enqueueCopy(queue, rows, image, { region: [4, 2], pitches: 6 });
    expect([...rows]).toEqual([2, 3, 4, 0, 0, 0, 0, 1, 2, 0]);
  });

  test('enqueueCopy moves layers of arrays and slices of spaces', () => {
    if (without()) return;
    using lines = imageOf({ shape: [3, 4], isArray: true }, counting(12));
    expect(contentOf(lines, 12)).toEqual([...counting(12)]);
    const part = new Uint8Array(6);
    cl.enqueueCopy(queue, part, lines, { origin: [1, 2], region: [2, 2] });
    expect([...part]).toEqual([7, 8, 10, 11].concat([0, 0]));
    using space = imageOf([2, 2, 3], counting(12));
    using layers = imageOf({ shape: [2, 2, 2], isArray: true }, new Uint8Array(8));
    cl.enqueueCopy(queue, layers, space, { srcOrigin: [0, 0, 1] });
    expect(contentOf(layers, 8)).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
    cl.enqueueCopy(queue, part, space, { origin: [1, 0, 1], region: [1, 2, 2], pitches: [1, 3] });
    expect([...part]).toEqual([5, 7, 10, 9, 11, 0]);
  });

  test('enqueueCopy of images refuses what does not fit', () => {
    if (without()) return;
    using image = imageOf([4, 3], counting(12));
    using wide = new cl.Image(
      ctx,
      mf.READ_WRITE,
      new cl.ImageFormat(cl.ChannelOrder.RGBA, cl.ChannelType.FLOAT),
      [2, 2],
    );
    using small = bufferOf(new Uint8Array(4));
    const host = new Uint8Array(12);
    expect(() => cl.enqueueCopy(queue, new Uint8Array(11), image)).toThrow(/12 bytes; dest, a host array, has 11/);
    expect(() => cl.enqueueCopy(queue, host, image, { pitches: 6 })).toThrow(/16 bytes/);
    expect(() => cl.enqueueCopy(queue, host, image, { pitches: [4, 12] })).toThrow('has no slices');
    expect(() => cl.enqueueCopy(queue, host, image, { origin: [4, 0] })).toThrow(/origin\[0\] is 4/);
    expect(() => cl.enqueueCopy(queue, host, image, { origin: [1, 0], region: [4, 1] })).toThrow('goes beyond');
    expect(() => cl.enqueueCopy(queue, host, image, { region: [1, 1, 2] })).toThrow('goes beyond');
    expect(() => cl.enqueueCopy(queue, host, image, { srcOffset: 1 })).toThrow("no option 'srcOffset'");
    expect(() => cl.enqueueCopy(queue, small, image)).toThrow(/12 bytes; dest, a buffer, has 4/);
    expect(() => cl.enqueueCopy(queue, image, small, { offset: 4, region: [1, 1] })).toThrow(RangeError);
    expect(() => cl.enqueueCopy(queue, image, wide)).toThrow('need the same format');
    expect(() => cl.enqueueCopy(queue, image, image, { dstOrigin: [1, 0], region: [3, 3] })).toThrow('overlap');
    image.close();
    expect(() => cl.enqueueCopy(queue, host, image)).toThrow(cl.ClosedError);
  });

  test('enqueueCopy without blocking holds the host array of rectangles and images', async () => {
    sweepFlights();
    const before = flightCount();
    using buffer = new cl.Buffer(ctx, mf.READ_WRITE, 1 << 16);
    using go = new cl.UserEvent(ctx);
    const settings = { blocking: false, waitFor: [go] };
    cl.enqueueCopy(queue, buffer, new Uint8Array(1 << 16).fill(7), { ...settings, region: [256, 256] }).close();
    let held = 1;
    using image = device.imageSupport ? imageOf([256, 256]) : undefined;
    if (image) {
      cl.enqueueCopy(queue, image, new Uint8Array(1 << 16).fill(8), settings).close();
      held++;
    }
    globalThis.gc?.();
    expect(flightCount()).toBe(before + held);
    go.setStatus(cl.CommandExecutionStatus.COMPLETE);
    await queue.done();
    expect(contentOf(buffer, 1 << 16).every((byte) => byte === 7)).toBe(true);
    if (image) expect(contentOf(image, 1 << 16).every((byte) => byte === 8)).toBe(true);
    await until('the array is let go', () => flightCount() === before);
  });
});
