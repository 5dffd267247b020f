/* Writes trends as CSV. */
#include <inttypes.h>
#include <math.h>

#include "base/count_of.h"
#include "base/csv.h"
#include "report/trend.h"

static void write_field(struct dj_text *text, const char *string)
{
    dj_text_add(text, ",");
    dj_csv_append_cell(text, string, DJ_CSV_QUOTED | DJ_CSV_ONE_LINE);
}

static void write_number(struct dj_text *text, double value)
{
    dj_text_add(text, ",");
    if (isfinite(value)) {
        dj_text_format(text, "%.10g", value);
    }
}

static void write_line(struct dj_text *text, const struct dj_trend_segment *segment,
                       size_t index)
{
    const struct dj_trend_point *point = &segment->points[index];
    const struct dj_trend_change *change = dj_report_find_trend_change(segment, index, 1);
    const char *const names[] = {segment->project, segment->flow,   segment->serial,
                                 segment->release, segment->config, segment->metric,
                                 segment->unit,    point->id,       point->version,
                                 point->commit,    point->label};
    dj_text_add(text, segment->key);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        write_field(text, names[i]);
    }
    if (point->at_unix_ms != INT64_MIN) {
        dj_text_format(text, ",%" PRId64, point->at_unix_ms);
    } else {
        dj_text_add(text, ",");
    }
    dj_text_format(text, ",%zu", point->runs);
    write_number(text, point->value);
    write_number(text, point->ci.low);
    write_number(text, point->ci.high);
    write_field(text, change != NULL ? change->id : "");
    write_number(text, change != NULL ? change->ratio : NAN);
    write_field(text,
                change != NULL && change->blessing != NULL ? change->blessing->who : "");
    dj_text_add(text, "\n");
}

static void write_header(struct dj_text *text, const struct dj_trend_totals *totals)
{
    (void)totals;
    dj_text_add(text,
                "segment,project,flow,device,release,config,metric,unit,batch,version,"
                "commit,label,at_unix_ms,runs,value,low,high,change,ratio,blessed_by\n");
}

static void write_lines(struct dj_text *text, const struct dj_trend *part, size_t before)
{
    (void)before;
    for (size_t i = 0; i < part->segment_count; i++) {
        for (size_t k = 0; k < part->segments[i].point_count; k++) {
            write_line(text, &part->segments[i], k);
        }
    }
}

const struct dj_trend_form dj_report_trend_csv = {
    .suffix = ".csv", .head = write_header, .part = write_lines};
