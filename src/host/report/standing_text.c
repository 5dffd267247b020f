#include "report/standing.h"

#include <inttypes.h>

static const char *const grades[DJ_GRADE_COUNT] = {
    [DJ_GRADE_NO_FRAMES] = "NO FRAMES",
    [DJ_GRADE_UNJUDGED] = "NOT JUDGED",
    [DJ_GRADE_FEW] = "TOO FEW FRAMES TO JUDGE",
    [DJ_GRADE_SMOOTH] = "SMOOTH",
    [DJ_GRADE_UNEVEN] = "UNEVEN",
    [DJ_GRADE_JANKY] = "JANKY",
};

const char *dj_grade_text(enum dj_grade grade)
{
    return grades[grade];
}

static const char exempts[] = "all of which the release's rule exempts (drawn into a "
                              "Surface's canvas): nothing tells whether in time";

static void append_lack(struct dj_text *text, const struct dj_standing *standing)
{
    if (standing->simple_rows > 0) {
        dj_text_format(text,
                       ": %zu rows of the simple dump alone, which tell no jank; "
                       "%zu are longer than a frame interval",
                       standing->simple_rows, standing->simple_over);
    } else if (standing->exempt > 0) {
        dj_text_format(text, ": %zu %s, %s", standing->exempt,
                       standing->exempt == 1 ? "row" : "rows", exempts);
    } else if (standing->rows_unreadable > 0 && standing->rows_read == 0) {
        dj_text_format(text, ": its %zu %s cannot be read", standing->rows_unreadable,
                       standing->rows_unreadable == 1 ? "row" : "rows");
    } else if (standing->grade == DJ_GRADE_UNJUDGED) {
        dj_text_string(text, ": frames were drawn, and nothing tells whether in time");
    } else if (standing->rows_read > 1) {
        dj_text_format(text, ": none of its %zu rows is a frame to compute from",
                       standing->rows_read);
    } else if (standing->rows_read == 1) {
        dj_text_string(text, ": its one row is no frame to compute from");
    } else {
        dj_text_string(text, ": no frame was drawn");
    }
}

void dj_standing_describe(struct dj_text *text, const struct dj_standing *standing)
{
    const struct dj_sample *counts = &standing->counts;
    const struct dj_sample *rows = &standing->rows;
    if (counts->frames > 0) {
        dj_text_format(text,
                       ": %" PRIu64 " of %" PRIu64 " counted frames janky (%.2f %%)%s",
                       counts->janky, counts->frames, standing->counts_pct,
                       standing->counts_of_process ? " in the whole process" : "");
    }
    if (rows->frames > 0) {
        dj_text_format(text, "%s %" PRIu64 " of %" PRIu64 " rows%s (%.2f %%)",
                       counts->frames > 0 ? "," : ":", rows->janky, rows->frames,
                       counts->frames > 0 ? "" : " janky", dj_sample_pct(rows));
    }
    if (counts->frames + rows->frames == 0) {
        append_lack(text, standing);
    } else if (standing->grade == DJ_GRADE_UNJUDGED) {
        dj_text_format(text, "; there are %zu rows, %s", standing->exempt, exempts);
    }
}
