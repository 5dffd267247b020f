/* Small tools of the page: elements made without ever reading text as markup, numbers, quantiles. */

function el(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
        if (name.startsWith('on')) {
            node.addEventListener(name.slice(2), value);
        } else if (value !== null && value !== false) {
            node.setAttribute(name, value === true ? '' : value);
        }
    }
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
}

function cssColor(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/* Milliseconds of nanoseconds, with as many digits as help: 123.4, 16.67, 0.123 */
function ms(ns) {
    const value = ns / 1e6;
    const size = Math.abs(value);
    return value.toFixed(size >= 100 ? 1 : size >= 1 ? 2 : 3);
}

function percent(part, whole) {
    const share = (100 * part) / whole;
    return whole === 0 ? 'none' : `${share.toFixed(share > 0 && share < 1 ? 2 : 1)} %`;
}

function plural(count, word) {
    return `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
}

/* The numbers that are not null, ascending. */
function sortedKnown(numbers) {
    return Float64Array.from(numbers.filter((number) => number !== null)).sort();
}

/* Quantile of sorted numbers by linear interpolation (Hyndman and Fan's type 7), as the figures of the tool. */
function quantile(sorted, p) {
    const at = (sorted.length - 1) * p;
    const low = Math.floor(at);
    const high = Math.min(low + 1, sorted.length - 1);
    return sorted[low] + (sorted[high] - sorted[low]) * (at - low);
}

function mean(numbers) {
    return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function select(label, options, value, onchange) {
    const box = el('select', { onchange: () => onchange(box.value) });
    for (const option of options) {
        box.append(el('option', { value: option.value, selected: option.value === value }, option.text));
    }
    return el('label', { class: 'control' }, el('span', {}, label), box);
}

function checkbox(label, checked, onchange) {
    const box = el('input', { type: 'checkbox', checked, onchange: () => onchange(box.checked) });
    return el('label', { class: 'control' }, box, el('span', {}, label));
}

function button(text, title, onclick) {
    return el('button', { type: 'button', title, 'aria-label': title, onclick }, text);
}

function copyButton(markdown) {
    const label = 'Copy as Markdown';
    const copy = el('button', {
        type: 'button',
        onclick: async () => {
            const done = await navigator.clipboard.writeText(markdown).then(() => 'Copied', () => 'The browser does not allow copying');
            copy.textContent = done;
            setTimeout(() => { copy.textContent = label; }, 2000);
        },
    }, label);
    return copy;
}

/* A colour sample; hatched where the stage is not part of the frame time. */
function swatch(color, hatched) {
    const node = el('span', { class: hatched ? 'swatch hatched' : 'swatch', 'aria-hidden': 'true' });
    node.style.setProperty('--swatch', color);
    return node;
}
