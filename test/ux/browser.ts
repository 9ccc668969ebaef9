/** Headless Chromium for tests of the report; where there is none the tests are skipped, loudly. */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';

const executablePath = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));

/** `test`, or `test.skip` with a warning. */
export function browserTest(): jest.It {
  if (executablePath !== undefined) return test;
  console.warn(
    '!! WARNING: there is no Chromium, so the tests of the report in a browser are SKIPPED (apt-get install chromium)',
  );
  return test.skip;
}

export function launch(): Promise<Browser> {
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export interface Opened {
  readonly page: Page;
  /** Everything the page asked for, itself left out. */ readonly requests: string[];
  readonly complaints: string[];
}

export async function open(browser: Browser, file: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: 1300, height: 850 }, colorScheme });
  const requests: string[] = [];
  const complaints: string[] = [];
  const url = pathToFileURL(file).href;
  page.on('request', (request) => {
    if (request.url() !== url) requests.push(request.url());
  });
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  return { page, requests, complaints };
}
