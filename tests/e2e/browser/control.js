/* Controls Chromium for browsers.py. Reads one command per line from stdin, as JSON, and prints one JSON result per line. */
const readline = require('readline');
const { chromium } = require('playwright-core');

let browser;
let context;
let page;
let problems = [];

/* Each window has its own cookies. With bypass, scripts of the test run in pages whose policy allows no other script. */
async function open({ width, height, dark, bypass }) {
    if (context) {
        await context.close();
    }
    context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', bypassCSP: bypass, isMobile: width < 500, hasTouch: width < 500 });
    page = await context.newPage();
    page.setDefaultTimeout(20000);
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
}

const commands = {
    open,
    goto: async ({ url }) => (await page.goto(url, { waitUntil: 'load' })).status(),
    reload: async () => (await page.reload({ waitUntil: 'load' })).status(),
    back: async () => { await page.goBack({ waitUntil: 'load' }); },
    url: async () => page.url(),
    run: async ({ script }) => page.evaluate(script),
    press: async ({ key }) => page.keyboard.press(key),
    click: async ({ selector, x, y }) => page.click(selector, x === null ? {} : { position: { x, y } }),
    drag: async ({ selector, start, end }) => {
        const box = await page.locator(selector).first().boundingBox();
        await page.mouse.move(box.x + start[0], box.y + start[1]);
        await page.mouse.down();
        await page.mouse.move(box.x + end[0], box.y + end[1], { steps: 5 });
        await page.mouse.up();
    },
    /* Goes back without loading a page. */
    go_back: async () => { await page.evaluate('history.back()'); },
    fill: async ({ selector, value }) => page.fill(selector, value),
    choose: async ({ selector, value }) => page.selectOption(selector, value),
    screenshot: async ({ path, whole }) => { await page.screenshot({ path, fullPage: whole, animations: 'disabled' }); },
    /* Runs a script in each page before the scripts of the page. */
    prepare: async ({ script }) => context.addInitScript(script),
    problems: async () => problems.splice(0),
};

async function main() {
    browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox', '--disable-gpu'] });
    for await (const line of readline.createInterface({ input: process.stdin })) {
        const command = JSON.parse(line);
        const result = await commands[command.do](command).then((value) => ({ value: value ?? null }), (error) => ({ error: error.message }));
        process.stdout.write(`${JSON.stringify(result)}\n`);
    }
    await browser.close();
}

main();
