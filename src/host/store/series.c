#include "store/series.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [DJ_SERIES_LESS] = "less",
    [DJ_SERIES_MORE] = "more",
    [DJ_SERIES_EITHER] = "neutral",
};

const char *dj_store_series_sense_name(enum dj_series_sense sense)
{
    return names[sense != DJ_SERIES_UNKNOWN ? sense : DJ_SERIES_EITHER];
}

enum dj_series_sense dj_store_series_sense_find(const char *name)
{
    enum dj_series_sense sense = DJ_SERIES_LESS;
    while (sense != DJ_SERIES_EITHER && strcmp(name, names[sense]) != 0) {
        sense++;
    }
    return sense;
}

void dj_store_series_finish(struct dj_series_file *file)
{
    for (size_t i = 0; i < file->count; i++) {
        free(file->series[i].points);
    }
    free(file->series);
    dj_memory_strings_finish(&file->strings);
    *file = (struct dj_series_file){0};
}
