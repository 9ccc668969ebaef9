/** Vitest wants the class as the default export of an ES module. Copied into the build as it is. */
import reporter from './vitestReporter.js';

export default reporter.default;
