import { crc32, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { inspectFile } from './inspect-file.ts';

const text = (...lines: string[]) => Buffer.from(lines.join('\n'), 'latin1');
const issue = (bytes: Buffer) => {
  const inspected = inspectFile(bytes);
  return inspected.ok ? inspected.mediaType : inspected.issue;
};

const pdf = (...objects: (string | Buffer)[]) =>
  Buffer.concat([
    text('%PDF-1.7', '1 0 obj', '<< /Type /Catalog /Pages 2 0 R >>', 'endobj', ''),
    ...objects.map((object) => (typeof object === 'string' ? text(object, '') : object)),
    text('trailer', '<< /Root 1 0 R >>', 'startxref', '9', '%%EOF', ''),
  ]);
const packed = (objects: string, filter = '/Filter /FlateDecode') =>
  Buffer.concat([
    text(`7 0 obj`, `<< ${filter} /Type /ObjStm /N 1 /First 4 >>`, 'stream', ''),
    filter === '' ? text(objects) : deflateSync(text(objects)),
    text('', 'endstream', 'endobj', ''),
  ]);

const segment = (marker: number, ...body: number[]) =>
  Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 0xff, ...body]);
const u16 = (number: number) => [number >> 8, number & 0xff];
const frame = (height: number, width: number, marker = 0xc0) =>
  segment(marker, 8, ...u16(height), ...u16(width), 1, 1, 0x11, 0);
const jpeg = (...parts: Buffer[]) => Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts]);
const scan = Buffer.concat([segment(0xda, 1, 1, 0, 0, 63, 0), Buffer.from([0x12, 0x34, 0xff, 0xd9])]);

const chunk = (type: string, data: Buffer = Buffer.alloc(0)) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(data.length, 0);
  numbers.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([numbers.subarray(0, 4), body, numbers.subarray(4)]);
};
const header = (width: number, height: number) => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([8, 2, 0, 0, 0], 8);
  return chunk('IHDR', data);
};
const png = (...chunks: Buffer[]) =>
  Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...chunks]);
const data = chunk('IDAT', deflateSync(Buffer.alloc(64)));

// ASVS 5.2.2
test('a whole PDF, JPEG or PNG is known by its own bytes', () => {
  expect(issue(pdf())).toBe('application/pdf');
  expect(issue(pdf(packed('1 0 << /Type /Page >>'), packed('1 0 << /Type /Page >>', '')))).toBe('application/pdf');
  expect(issue(jpeg(segment(0xe0, 1, 2, 3), frame(3000, 4000), scan))).toBe('image/jpeg');
  expect(issue(jpeg(frame(8, 8, 0xc2), Buffer.from([0xff]), scan, Buffer.from('what a camera appends')))).toBe(
    'image/jpeg',
  );
  expect(issue(png(header(640, 480), chunk('pHYs', Buffer.alloc(9)), data, chunk('IEND')))).toBe('image/png');
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['text', text('%PD')],
  ['a web page', text('<!doctype html><script>alert(1)</script>')],
  ['a picture in XML, which can hold scripts', text('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a program', Buffer.from([0x4d, 0x5a, 0x90, 0x00, 0x03])],
  ['a page that has a PDF in it', Buffer.concat([text('<html>', ''), pdf()])],
])('%s is none of the three', (_, bytes) => {
  expect(issue(bytes)).toBe('unknown_type');
});

test.each([
  ['a PDF without an end', text('%PDF-1.7', '1 0 obj', 'endobj')],
  ['a PDF of no version', text('%PDF-x', 'startxref', '%%EOF')],
  [
    'a PDF whose objects can’t be unpacked',
    pdf(packed('1 0 << /Type /Page >>', '').subarray(0, 40), '/ObjStm /Filter /LZW stream\nx'),
  ],
  ['a JPEG of three bytes', Buffer.from([0xff, 0xd8, 0xff])],
  ['a JPEG without a frame', jpeg(segment(0xe0, 1, 2, 3), scan)],
  ['a JPEG without an end', jpeg(frame(8, 8), segment(0xda, 1, 1, 0, 0, 63, 0), Buffer.from([1, 2, 3]))],
  ['a JPEG of no height', jpeg(frame(0, 8), scan)],
  ['a JPEG whose segment is longer than the file', jpeg(Buffer.from([0xff, 0xe0, 0xff, 0xff, 1]))],
  [
    'a page that begins like a JPEG',
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), text('<script>alert(1)</script>')]),
  ],
  ['a PNG without data', png(header(8, 8), chunk('IEND'))],
  ['a PNG without an end', png(header(8, 8), data)],
  ['a PNG that does not begin with its header', png(data, header(8, 8), chunk('IEND'))],
  ['a PNG with a wrong checksum', png(header(8, 8), Buffer.from(data).fill(0, data.length - 1), chunk('IEND'))],
])('%s is damaged', (_, bytes) => {
  expect(issue(bytes)).toBe('damaged');
});

test.each(['/JavaScript', '/Launch', '/EmbeddedFile', '/RichMedia', '/Rendition', '/J#61vaScript', '/#4Caunch'])(
  'a PDF with %s is rejected, also in a compressed stream',
  (name) => {
    expect(issue(pdf(`<< /OpenAction << /S ${name} >> >>`))).toBe('active');
    expect(issue(pdf(packed(`1 0 << /OpenAction << /S ${name} >> >>`)))).toBe('active');
    expect(issue(pdf(packed(`1 0 << /S ${name} >>`, '')))).toBe('active');
    expect(issue(pdf(`<< /Title (${name}Like) >>`))).toBe('application/pdf');
  },
);

test('a PDF does not hide what it packs by how its dictionary is spelled', () => {
  const active = packed('1 0 << /S /JavaScript >>').toString('latin1');
  for (const [name, spelling] of [
    ['/ObjStm', '/Obj#53tm'],
    ['/Filter', '/#46ilter'],
    ['/ObjStm', '/#4fbjSt#6D'],
  ] as const) {
    expect(issue(pdf(Buffer.from(active.replace(name, spelling), 'latin1')))).toBe('active');
  }
});

test('a PDF is rejected whose packed objects could not be seen', () => {
  const active = packed('1 0 << /S /JavaScript >>').toString('latin1');
  const filter = '/Filter /FlateDecode';
  for (const dictionary of [
    `/X (stream) ${filter}`,
    `%stream\n${filter}`,
    `${filter} /DecodeParms << /Predictor 12 >>`,
    '/Filter [/FlateDecode /ASCIIHexDecode]',
    '/Filter 9 0 R',
  ]) {
    // Where the dictionary ends: behind the name that says that objects are packed.
    const hidden = active.replace(filter, '').replace(' /N 1', ` ${dictionary} /N 1`);
    expect([dictionary, issue(pdf(Buffer.from(hidden, 'latin1')))]).toEqual([dictionary, 'damaged']);
  }
  for (const usual of ['/Filter/FlateDecode', '/Filter [ /FlateDecode ]', '/Filter/Fl'])
    expect(issue(pdf(packed('1 0 << /S /JavaScript >>', usual)))).toBe('active');
});

test('a PDF of many small packed streams is rejected, and one of nothing but spelled letters is read', () => {
  const letters = packed('#41'.repeat(10_000_000));
  const small = Buffer.concat(Array<Buffer>(20_000).fill(packed('1 0 ')));
  expect(issue(pdf(letters))).toBe('application/pdf');
  // More streams than a file of this size has, each of which takes some time by itself.
  expect(issue(pdf(small))).toBe('damaged');
});

test('a PDF that names packed objects a million times is read once', () => {
  const named = Buffer.from('/ObjStm '.repeat(500_000) + '/ObjStm stream '.repeat(250_000));
  expect(issue(pdf(named))).toBe('application/pdf');
});

test('a PDF with a password is rejected: its content can’t be inspected', () => {
  expect(issue(pdf('<< /Encrypt 9 0 R >>'))).toBe('locked');
});

test('a file that would expand to far more than its size is rejected', () => {
  expect(issue(pdf(packed('0'.repeat(40 * 1024 * 1024))))).toBe('damaged');
  expect(issue(jpeg(frame(60_000, 60_000), scan))).toBe('too_large_picture');
  expect(issue(png(header(4_000_000_000, 2), data, chunk('IEND')))).toBe('too_large_picture');
});

test('any bytes get an answer, never an exception', () => {
  for (const whole of [
    pdf(packed('1 0 <<>>')),
    jpeg(frame(8, 8), scan),
    png(header(8, 8), chunk('IDAT'), chunk('IEND')),
  ]) {
    for (let cut = 0; cut < whole.length; cut++) {
      expect(() => inspectFile(whole.subarray(0, cut))).not.toThrow();
      const changed = Buffer.from(whole);
      changed[cut] = 0xff;
      expect(() => inspectFile(changed)).not.toThrow();
    }
  }
});
