/** `watchPlugins: ['provest/watch-tests']`. */
export { WriteTests as default } from './reporter/watch';
