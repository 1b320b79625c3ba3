/** The distribution's Chromium. Its own sandbox refuses to run as root. */
export const chromiumLaunch = { executablePath: '/usr/bin/chromium', chromiumSandbox: process.getuid?.() !== 0 };
