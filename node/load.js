// Finds and loads the addon: the binary of the package, or one built in a checkout.
'use strict';
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const places = [
  ...(process.env.WEBNN_NODE_ADDON ? [process.env.WEBNN_NODE_ADDON] : []),
  join(__dirname, 'prebuilt', `${process.platform}-${process.arch}.node`),
  join(root, 'build', 'node', 'node', 'webnn.node'),
  join(root, 'build', 'release', 'node', 'webnn.node'),
  join(root, 'build', 'node', 'webnn.node'),
];

function load() {
  const failures = [];
  for (const place of places) {
    if (!existsSync(place)) continue;
    try { return require(place); } catch (error) { failures.push(`${place}: ${error.message}`); }
  }
  throw new Error(`libwebnn has no addon for ${process.platform}-${process.arch}. ${failures.join('; ')}\n` +
    'Build it with "make node" in a checkout, or "npm rebuild libwebnn" in a project.');
}

module.exports = load();
