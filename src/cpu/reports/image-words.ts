import { ImageForm, ImagePart } from '../abi/image-record.ts';

/** `2 u8`: the format of a record. */
export function elementOf(format: number): string {
  const [name = '?'] = Object.entries(ImagePart).find(([, part]) => part === format >> 4) ?? [];
  const plain = name.replace(/^([US])N/, (_, sign: string) => (sign === 'S' ? 'I' : 'U')).replace('SRGB', 'U8');
  return `${2 ** (format & 15)} ${plain.toLowerCase()}${plain === name ? '' : ', read as floats'}`;
}

/** `a layered image of 2 dimensions`: the form of a record. */
export function formOf(form: number): string {
  if (form & ImageForm.LINEAR_MEMORY) return 'a texture of linear memory, which tex1Dfetch() reads';
  const layered = (form & ImageForm.LAYERED) !== 0;
  if (form & ImageForm.CUBE) return `a ${layered ? 'layered ' : ''}cubemap`;
  const dimensions = form & ImageForm.DIMENSIONS;
  return `${layered ? 'a layered' : 'an'} image of ${dimensions} dimension${dimensions > 1 ? 's' : ''}`;
}
