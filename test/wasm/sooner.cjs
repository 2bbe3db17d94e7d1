/** A loader for the bundles of a test: what waits for a minute waits for less. Text that is not there is an error. */
module.exports = function sooner(source) {
  return this.getOptions().replace.reduce((text, [from, to]) => {
    if (!text.includes(from)) {
      throw new Error(`there is no \`${from}\` to replace`);
    }
    return text.replace(from, to);
  }, source);
};
