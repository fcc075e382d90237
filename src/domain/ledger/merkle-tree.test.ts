import { expect, test } from 'vitest';
import { leafHash, merkleTree } from './merkle-tree.ts';

/** Leaves and roots of Certificate Transparency's own tests (merkletree/tree_test.go). */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const hashes = LEAVES.map((hex) => leafHash(Buffer.from(hex, 'hex').toString()));

test.each(ROOTS.map((root, size) => [size, root]))(
  'the root of a tree with %i leaves is that of RFC 9162',
  (size, root) => {
    expect(merkleTree(hashes.slice(0, Number(size))).root.toString('hex')).toBe(root);
  },
);

test('the path of a leaf is that of RFC 9162: the first leaf of seven, the last of seven, the last of five', () => {
  const path = (size: number, number: number) => merkleTree(hashes.slice(0, size), number).path;
  const root = (from: number, to: number) => merkleTree(hashes.slice(from, to)).root;
  expect(path(7, 0)).toEqual([hashes[1], root(2, 4), root(4, 7)]);
  expect(path(7, 6)).toEqual([root(4, 6), root(0, 4)]);
  expect(path(5, 4)).toEqual([root(0, 4)]);
  expect(path(1, 0)).toEqual([]);
});
