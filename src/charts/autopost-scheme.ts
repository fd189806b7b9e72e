import type { Viz } from '@viz-js/viz';

/** What autoposting is made of and how a post goes through it, for `visualizations/` and the README. */
const SCHEME = `digraph autopost {
  rankdir=LR; bgcolor="#ffffff"; pad=0.3; nodesep=0.35; ranksep=0.75; fontname="Helvetica";
  node [shape=box, style="rounded,filled", fillcolor="#f3f6fb", color="#5b6b82", fontname="Helvetica", fontsize=12, margin="0.18,0.1"];
  edge [color="#5b6b82", fontname="Helvetica", fontsize=10, fontcolor="#3b4656"];

  sender [label="a sender\nPOST /api/ingest", fillcolor="#fff7e6"];
  sources [label="sources\nRSS, JSON, PostgreSQL", fillcolor="#fff7e6"];
  operator [label="an operator\nnpm run autopost", fillcolor="#fff7e6"];

  subgraph cluster_in { label="01 ingest"; color="#c9d3e0"; fontsize=12;
    gate [label="gate\nsecret, size, rate, repeats"];
    pull [label="pull\nread in a thread, cursor, lease"];
    normal [label="normalise, hash, preflight\nper platform"];
  }
  subgraph cluster_db { label="PostgreSQL: the guarantees"; color="#c9d3e0"; fontsize=12;
    messages [shape=cylinder, label="messages\nmedia_origin", fillcolor="#eaf5ee"];
    deliveries [shape=cylinder, label="deliveries\nstatus, order, slots, leases, expiry", fillcolor="#eaf5ee"];
    gates [shape=cylinder, label="channels, platform_limits\nrates, pauses, breaker", fillcolor="#eaf5ee"];
    events [shape=cylinder, label="events\naudit, masked", fillcolor="#eaf5ee"];
  }
  subgraph cluster_out { label="02 dispatcher (any number)"; color="#c9d3e0"; fontsize=12;
    claim [label="claim_due"];
    begin [label="begin_attempts\non record, then the call"];
    adapters [label="adapters\ntelegram, max"];
    outcome [label="mark_sent, schedule_retry,\nfail_permanent, mark_unknown"];
  }
  subgraph cluster_watch { label="03 watchman"; color="#c9d3e0"; fontsize=12;
    sweep [label="expired leases and posts,\nretention, files, integrity"];
    alerts [label="alerts with commands"];
  }
  platforms [label="Telegram Bot API\nMAX API", fillcolor="#fdeef0"];
  admin [label="ADMIN_ID", fillcolor="#fff7e6"];

  sender -> gate -> normal; sources -> pull -> normal;
  normal -> messages [label="once"]; normal -> deliveries [label="one per channel"];
  deliveries -> claim; gates -> claim [dir=both]; claim -> begin -> adapters -> platforms;
  platforms -> outcome [style=dashed, label="answer"]; outcome -> deliveries [constraint=false]; outcome -> events [constraint=false];
  outcome -> gates [constraint=false, label="cool-down, quarantine"];
  deliveries -> sweep [dir=both]; events -> alerts -> admin; operator -> deliveries [style=dashed, constraint=false];
}`;

export const autopostScheme = (viz: Viz): string => `${viz.renderString(SCHEME, { format: 'svg' }).trim()}\n`;
