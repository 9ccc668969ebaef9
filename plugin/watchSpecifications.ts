/** `watchPlugins: ['provest/watch-specifications']`. */
export { WriteSpecifications as default } from './reporter/watch';
