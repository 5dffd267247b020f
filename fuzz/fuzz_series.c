/* Reads any text as a history of another tool. Each value must be finite. Either all
 * points of a series have times or none has. Points must be sorted by time, or numbered
 * in the order of the file. Every error must have a message. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "import/series.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_series(const struct dj_series *series)
{
    bool timed =
        series->point_count > 0 && series->points[0].at_unix_ms != DJ_SERIES_NO_TIME;
    check(series->metric != NULL && series->metric[0] != '\0');
    for (size_t i = 0; i < series->point_count; i++) {
        const struct dj_series_point *point = &series->points[i];
        check(isfinite(point->value));
        check((point->at_unix_ms != DJ_SERIES_NO_TIME) == timed);
        check(!timed || (point->at_unix_ms >= 0 && point->ordinal == 0));
        check(timed || point->ordinal == (int64_t)i);
        check(!timed || i == 0 || point[-1].at_unix_ms <= point->at_unix_ms);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct dj_series_defaults none;
    struct dj_series_file file;
    struct dj_error err = {0};
    int code = dj_import_read_series((const char *)data, size, &none, &file, &err);
    size_t points = 0;
    check(code == 0 || (err.code == code && err.message[0] != '\0'));
    for (size_t i = 0; i < file.count && code == 0; i++) {
        check_series(&file.series[i]);
        points += file.series[i].point_count;
    }
    check(code != 0 || (points == file.points && points > 0));
    dj_store_series_finish(&file);
    return 0;
}
