/* Reads any bytes as graphicsstats, in both of its binary forms. Each entry must have a
 * package and statistics. The offsets of warnings must be within the bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/graphicsstats_proto.h"
#include "gfxinfo/lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef int parse_bytes(const char *bytes, size_t length, struct dj_dump *dump,
                        struct dj_parse_report *report, struct dj_error *err);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_entry(const struct dj_graphicsstats *entry)
{
    uint32_t percentiles = dj_gfxinfo_lines_of_kind(DJ_LINE_PERCENTILE);
    uint32_t histogram = dj_gfxinfo_lines_of_kind(DJ_LINE_HISTOGRAM);
    check(entry->package != NULL && entry->package[0] != '\0');
    check(entry->stats.present);
    check((entry->stats.lines & percentiles) == 0 ||
          (entry->stats.lines & histogram) != 0);
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        check((entry->stats.lines & histogram) != 0 ||
              entry->stats.stats.frame_histogram[i] == 0);
    }
}

static int read_by(parse_bytes *parse, const char *bytes, size_t length)
{
    struct dj_dump dump;
    struct dj_parse_report report;
    struct dj_error err = {0};
    int code = parse(bytes, length, &dump, &report, &err);
    check((code == 0) == (dump.graphicsstats_count > 0));
    check(code == 0 || err.message[0] != '\0');
    check(dump.graphicsstats_count <= DJ_GRAPHICSSTATS_MOST);
    for (size_t i = 0; i < dump.graphicsstats_count; i++) {
        check_entry(&dump.graphicsstats[i]);
    }
    for (size_t i = 0; i < report.warning_count && i < DJ_PARSE_WARNINGS; i++) {
        check(report.warning[i].byte <= length);
    }
    dj_gfxinfo_dump_finish(&dump);
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    read_by(dj_gfxinfo_parse_graphicsstats_dump, bytes, size);
    read_by(dj_gfxinfo_parse_graphicsstats_file, bytes, size);
    /* No input may be recognized as both forms, and no text as a dump. */
    bool dump = dj_gfxinfo_is_graphicsstats_dump(bytes, size);
    check(!dump || !dj_gfxinfo_is_graphicsstats_file(bytes, size));
    bool control = false;
    for (size_t i = 0; i < size; i++) {
        control = control ||
                  (data[i] < ' ' && strchr("\b\t\n\v\f\r\33", data[i]) == NULL) ||
                  data[i] == 0;
    }
    check(control || !dump);
    return 0;
}
