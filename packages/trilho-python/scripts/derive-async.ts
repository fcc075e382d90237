/**
 * The asynchronous resources, of the text of the synchronous ones: the same methods with `await`.
 * Written by hand they would be the same text twice.
 */
export function deriveAsync(source: string): string {
  const classes = [...source.matchAll(/^class (\w+)/gm)].map(([, name = '']) => name);
  const renamed = new Set([...classes, 'Resource', 'Pages', 'SyncTransport']);
  return (
    source
      .replace(/^"""[\s\S]*?"""\n/, '# Generated from the same file of _resources when the library is built.\n')
      // Not where a docstring begins.
      .replace(/(?<!")\b[A-Z]\w+\b/g, (name) => (renamed.has(name) ? asyncName(name) : name))
      .replace(/^( +)(def (\w+)\([\s\S]*?\) -> (\S+))/gm, (_, indent, head, name, type) =>
        // What gives pages asks for nothing yet.
        name === '__init__' || type.startsWith('AsyncPages[') ? indent + head : `${indent}async ${head}`,
      )
      .replace(/= self\._transport\.request\(/g, '= await self._transport.request(')
      .replace(/return self\._transactions\./g, 'return await self._transactions.')
      .replace(/`for` /g, '`async for` ')
      // It stands one folder deeper, in _generated itself.
      .replace(/^( *)from \.\._generated\.?/gm, '$1from ..')
      .replace(/^( *)from \.\.(?=_)/gm, '$1from ...')
  );
}

const asyncName = (name: string): string => `Async${name.replace(/^Sync/, '')}`;
