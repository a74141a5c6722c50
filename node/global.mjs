// The same as global.js, for import statements.
import './global.js';
