/* The numbers at which an axis has marks. */

/* The smallest of 1, 2 and 5 times a power of ten that is at least `least`. */
function niceStep(least) {
    const power = 10 ** Math.floor(Math.log10(least));
    return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) || least;
}

function linearTicks(min, max, step) {
    const first = Math.ceil(min / step - 1e-9);
    const count = Math.max(0, Math.floor(max / step + 1e-9) - first + 1);
    return Array.from({ length: count }, (unused, i) => Number(((first + i) * step).toPrecision(12)));
}

/* Powers of ten, and 2 and 5 times each where they are at least `space` pixels apart. */
function logTicks(min, max, pixels, space) {
    const decade = pixels / Math.log10(max / min);
    const factors = decade * Math.log10(2) >= space ? [1, 2, 5] : [1];
    const all = [];
    for (let power = 10 ** Math.floor(Math.log10(min)); power <= max; power *= 10) {
        all.push(...factors.map((factor) => factor * power));
    }
    return all;
}
