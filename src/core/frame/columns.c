#include "frame/columns.h"

#include <string.h>

static const struct {
    const char *name;
    uint8_t length;
    uint8_t kind;
} rows[DJ_COLUMN_COUNT] = {
#define DJ_COLUMN_ROW(symbol, text, kind)                                                \
    [DJ_COLUMN_##symbol] = {text, sizeof(text) - 1, DJ_KIND_##kind},
    DJ_COLUMN_MAP(DJ_COLUMN_ROW)
#undef DJ_COLUMN_ROW
};

const char *dj_frame_column_name(enum dj_column column)
{
    return rows[column].name;
}

enum dj_frame_column_kind dj_frame_column_kind(enum dj_column column)
{
    return (enum dj_frame_column_kind)rows[column].kind;
}

bool dj_frame_column_find(const char *name, size_t length, enum dj_column *column)
{
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        if (rows[i].length == length && memcmp(rows[i].name, name, length) == 0) {
            *column = (enum dj_column)i;
            return true;
        }
    }
    return false;
}

uint64_t dj_frame_column_mask(const struct dj_column_list *columns)
{
    uint64_t mask = 0;
    for (size_t i = 0; i < columns->count; i++) {
        mask |= UINT64_C(1) << columns->column[i];
    }
    return mask;
}
