// Installs navigator.ml and the interfaces on globalThis, as a browser has them.
'use strict';
const { ml, ...interfaces } = require('./index.js');

for (const [name, value] of Object.entries(interfaces))
  Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });

// Navigator came with Node.js 21; where the global is missing it gets one that has nothing else.
if (typeof globalThis.navigator !== 'object' || globalThis.navigator === null) {
  class Navigator {}
  Object.defineProperty(Navigator.prototype, Symbol.toStringTag, { value: 'Navigator', configurable: true });
  Object.defineProperty(globalThis, 'Navigator', { value: Navigator, writable: true, enumerable: false, configurable: true });
  Object.defineProperty(globalThis, 'navigator', { value: new Navigator(), enumerable: true, configurable: true, writable: true });
}
const { navigator } = globalThis;
const prototype = Object.getPrototypeOf(navigator);
const place = prototype === Object.prototype ? navigator : prototype;
const { get } = Object.getOwnPropertyDescriptor({
  get ml() {
    if (this !== navigator) throw new TypeError('Illegal invocation');
    return ml;
  },
}, 'ml');
if (!Object.getOwnPropertyDescriptor(navigator, 'ml'))
  Object.defineProperty(place, 'ml', { get, set: undefined, enumerable: true, configurable: true });
