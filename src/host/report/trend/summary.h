/* Collects the most important facts while a trend is read part by part. Builds the start
 * and the end of the trend's document. */
#ifndef DEJANK_REPORT_TREND_SUMMARY_H
#define DEJANK_REPORT_TREND_SUMMARY_H

#include "report/trend.h"

enum { DJ_TREND_FINDINGS_MAX = 8 };

enum dj_trend_finding_text {
    DJ_FINDING_METRIC, /* Name of the metric, such as "p95 frame time". */
    DJ_FINDING_UNIT,
    DJ_FINDING_PROJECT,
    DJ_FINDING_FLOW,
    DJ_FINDING_DEVICE,
    DJ_FINDING_HISTORY, /* From dj_report_describe_trend_segment(). */
    DJ_FINDING_LEVEL,   /* Levels such as "16.01 → 17.93", or only the current level. */
    /* The following texts are "" if the segment has no change. */
    DJ_FINDING_SIZE,
    DJ_FINDING_SINCE,
    DJ_FINDING_DAY,
    DJ_FINDING_CHANGE, /* From dj_report_describe_trend_change(). */
    DJ_FINDING_REASON,
    DJ_FINDING_OTHERS, /* All other changes: "+15.8 % since 1.3 (changed), …". */
    DJ_FINDING_ID,
    DJ_FINDING_OLDER, /* The ids of the batches around the change. */
    DJ_FINDING_NEWER,
    DJ_FINDING_NAME, /* The metric's name in options. */
    DJ_FINDING_TEXTS
};

/* The state of a segment. The finding owns its texts. */
struct dj_trend_finding {
    enum dj_trend_state state;
    double size;   /* The size of the change: |ln ratio|, or 0 if it is unknown. */
    size_t number; /* The number of the segment, from 0. */
    char *texts[DJ_FINDING_TEXTS];
    char *notes[DJ_TREND_NOTES];
};

/* The collected facts. The memory use does not depend on the size of the trend. Zero the
 * struct before use. */
struct dj_trend_summary {
    /* Findings, the most important first. */
    struct dj_trend_finding findings[DJ_TREND_FINDINGS_MAX];
    size_t finding_count;
    size_t segments, histories, projects;
    size_t states[DJ_TREND_STATES];
    size_t points_max;      /* Points of the longest segment. */
    struct dj_chart *chart; /* The chart of the first finding. */
    char last_key[DJ_TREND_KEY_BYTES];
    char *last_project;
};

void dj_report_finish_trend_summary(struct dj_trend_summary *summary);

/* Adds the next segment of the trend. */
void dj_report_add_to_trend_summary(struct dj_trend_summary *summary,
                                    const struct dj_trend_segment *segment);

/* Adds the title, the verdict and the table of findings. `is_whole` means that no
 * sections follow. Then the function also moves the chart of the first finding into the
 * document, and explains the changes. */
void dj_report_start_trend_document(struct dj_document *document,
                                    struct dj_trend_summary *summary, bool is_whole);

/* Options of the end of a document. The end comes after the sections and contains
 * commands that fit the first finding. */
struct dj_trend_commands {
    const char *store; /* The option --store as it was given, or NULL. */
    bool names_metric; /* Changes are found only with --metric. */
    /* True if the output is not a page, so that a page is suggested. */
    bool suggests_page;
    const char *hidden; /* The content that --all would add, or NULL. */
};
void dj_report_end_trend_document(struct dj_document *document,
                                  const struct dj_trend_summary *summary,
                                  const struct dj_trend_commands *commands);

#endif
