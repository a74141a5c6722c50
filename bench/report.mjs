// Table and plot of the benchmark's entries.

// Ratios that the project aims at, by row: for one thread and for two.
const goals = {
  mobilenetv2: [1.25, 1.25], 'squeezenet1.1': [1.3, 1.3], resnet50: [1.2, 1.2], minilm: [1.2, 1.2], bert: [1.2, 1.2], 'real models': [1.2, 1.2],
  'depthwise 3x3': [2, 2], LayerNorm: [2, 2], Softmax: [2, 2], Gelu: [2, 2], Erf: [2, 2], Pow: [2, 2], Sin: [2, 2], transpose: [2, 2], 'bilinear resize': [2, 2],
  pooling: [2, 2], 'broadcast Add': [2, 2], ArgMax: [2, 2], LSTM: [1.4, 1.8], GRU: [1.4, 1.8], 'u8 x s8 GEMM': [1, 1], 'QDQ convolution': [1, 1], 'QDQ networks': [1, 1],
};
export const goal = ({ row, threads }) => goals[row]?.[Math.min(threads, 2) - 1] ?? null;

const time = (ms) => (ms == null ? '-' : ms >= 100 ? ms.toFixed(1) : ms >= 1 ? ms.toFixed(2) : ms.toFixed(4));
const columns = [
  ['work', 32, (e) => e.work], ['threads', 7, (e) => `${e.threads}`], ['ours ms', 9, (e) => time(e.ours_ms)], ['peer ms', 9, (e) => time(e.peer_ms)],
  ['ratio', 6, (e) => e.ratio?.toFixed(2) ?? '-'], ['goal', 5, (e) => goal(e)?.toFixed(2) ?? ''], ['', 1, (e) => (goal(e) && e.ratio < goal(e) ? '<' : '')],
  ['GFLOP/s', 7, (e) => e.gflops?.toFixed(0) ?? ''], ['% limit', 7, (e) => e.limit_percent?.toFixed(0) ?? ''],
  ['medians', 19, (e) => `${time(e.ours_median_ms)} ${time(e.peer_median_ms)}`], ['others', 6, (e) => e.others?.toFixed(1) ?? '-'], ['differ', 8, (e) => (e.difference == null ? '-' : `${e.difference}`)],
  ['build ms', 15, (e) => (e.ours_build_ms == null ? '' : `${e.ours_build_ms.toFixed(0)}/${e.peer_build_ms?.toFixed(0)} ${e.build_ratio}`)],
  ['peak MB', 15, (e) => (e.ours_peak_mb == null ? '' : `${e.ours_peak_mb.toFixed(0)}/${e.peer_peak_mb?.toFixed(0)} ${e.memory_ratio}`)],
];
const line = (cells) => cells.map((cell, i) => (i ? cell.padStart(columns[i][1]) : cell.padEnd(columns[i][1]))).join(' ').trimEnd();

export function table(entries, head) {
  const body = entries.map((e) => (e.error ? `${e.work.padEnd(32)} ${e.threads}  ${e.error}` : line(columns.map(([, , of]) => of(e)))));
  return [...(head ? [line(columns.map(([name]) => name))] : []), ...body].join('\n');
}

const escape = (s) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;');

// Bars of the ratios on a logarithmic axis, one thread above two, with a mark at each goal.
export function plot(entries, title) {
  const rows = [...new Set(entries.filter((e) => e.ratio).map((e) => e.work))];
  const [left, width, step] = [230, 560, 24], height = 60 + rows.length * step;
  const x = (ratio) => left + (width * (Math.log2(Math.min(Math.max(ratio, 0.25), 32)) + 2)) / 7;
  const out = [`<svg xmlns="http://www.w3.org/2000/svg" width="${left + width + 60}" height="${height}" font-family="sans-serif" font-size="11">`,
    '<rect width="100%" height="100%" fill="white"/>', `<text x="8" y="16" font-size="13">time of ONNX Runtime / time of libwebnn; ${escape(title)}</text>`];
  for (const ratio of [0.25, 0.5, 1, 2, 4, 8, 16, 32]) {
    out.push(`<line x1="${x(ratio)}" x2="${x(ratio)}" y1="40" y2="${height - 8}" stroke="${ratio === 1 ? '#000' : '#ddd'}"/>`, `<text x="${x(ratio)}" y="34" text-anchor="middle">${ratio}</text>`);
  }
  rows.forEach((work, i) => {
    const y = 46 + i * step;
    out.push(`<text x="${left - 6}" y="${y + 13}" text-anchor="end">${escape(work)}</text>`);
    for (const e of entries.filter((one) => one.work === work && one.ratio)) {
      const at = y + (e.threads > 1 ? 10 : 0), [a, b] = [x(1), x(e.ratio)].sort((p, q) => p - q);
      out.push(`<rect x="${a.toFixed(1)}" y="${at}" width="${Math.max(1, b - a).toFixed(1)}" height="9" fill="${e.ratio < 1 ? '#c33' : e.threads > 1 ? '#2a7' : '#27a'}"><title>${e.threads}: ${e.ratio}</title></rect>`);
      if (goal(e)) out.push(`<line x1="${x(goal(e)).toFixed(1)}" x2="${x(goal(e)).toFixed(1)}" y1="${at}" y2="${at + 9}" stroke="#f80" stroke-width="2"/>`);
    }
  });
  return `${[...out, '</svg>'].join('\n')}\n`;
}
