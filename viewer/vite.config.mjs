// One file, no network: JavaScript and style sheet are inlined into dist/page.html.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

const root = dirname(fileURLToPath(import.meta.url));

/** Everything the page is made from, in one order everywhere. tests/python/viewer_test.py computes the same. */
function sourceFiles() {
  const inSrc = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      relative(root, join(entry.parentPath ?? entry.path, entry.name))
        .split(sep)
        .join("/"),
    );
  const others = ["index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.mjs"];
  return [...inSrc, ...others].sort();
}

function sourceHash() {
  const hash = createHash("sha256");
  for (const file of sourceFiles()) {
    hash.update(`${file}\n`);
    hash.update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

const stamp = {
  name: "stamp",
  transformIndexHtml: (html) => html.replace("SOURCE-SHA256", sourceHash()),
  closeBundle: () => renameSync(join(root, "dist/index.html"), join(root, "dist/page.html")),
};

export default defineConfig({
  root,
  base: "./",
  plugins: [viteSingleFile({ removeViteModuleLoader: true }), stamp],
  build: { target: "es2022", modulePreload: false, reportCompressedSize: false, chunkSizeWarningLimit: 4000 },
});
