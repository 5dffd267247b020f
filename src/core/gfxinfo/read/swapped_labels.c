#include "gfxinfo/read/reader.h"

/* Returns whether the value is a timestamp. An interval is shorter than one second. */
static bool is_stamp(int64_t value)
{
    return value >= 1000000000;
}

/* Returns 1 if the two columns have each other's value, −1 if each has its own, or 0 if
 * the values do not show which. A value may be 0 because the app did not know it.
 * Otherwise, the value that is not a timestamp is the interval. */
static int detect_swap(const struct dj_frame *frame)
{
    uint64_t both = DJ_COLUMN_BIT(DJ_COLUMN_FRAME_INTERVAL) |
                    DJ_COLUMN_BIT(DJ_COLUMN_FRAME_START_TIME);
    int64_t interval = frame->value[DJ_COLUMN_FRAME_INTERVAL];
    int64_t start = frame->value[DJ_COLUMN_FRAME_START_TIME];
    if (!dj_frame_has_all(frame, both)) {
        return 0;
    }
    if (is_stamp(interval) != is_stamp(start)) {
        return is_stamp(interval) ? 1 : -1;
    }
    return (interval == 0) - (start == 0);
}

bool dj_reader_frame_is_swapped(const struct dj_frame *frame)
{
    return detect_swap(frame) > 0;
}

/* Returns whether the two columns are next to each other, as in the header of every
 * release. */
static bool has_labels(const struct dj_column_list *columns)
{
    for (size_t i = 1; i < columns->count; i++) {
        uint64_t pair =
            DJ_COLUMN_BIT(columns->column[i - 1]) | DJ_COLUMN_BIT(columns->column[i]);
        if (pair == (DJ_COLUMN_BIT(DJ_COLUMN_FRAME_INTERVAL) |
                     DJ_COLUMN_BIT(DJ_COLUMN_FRAME_START_TIME))) {
            return true;
        }
    }
    return false;
}

/* Returns whether most rows show that the names are exchanged. Android 12 and 13 exchange
 * the names. It is unknown which later releases do so, so the values decide. */
static bool has_swapped_labels(const struct dj_dump_window *window)
{
    int64_t votes = 0;
    for (size_t i = 0; i < window->frame_count; i++) {
        votes += detect_swap(&window->frames[i]);
    }
    return votes > 0;
}

/* Exchanges the two bits. A truncated row may have only one of them. */
static uint64_t swap_bits(uint64_t known)
{
    uint64_t interval = DJ_COLUMN_BIT(DJ_COLUMN_FRAME_INTERVAL);
    uint64_t start = DJ_COLUMN_BIT(DJ_COLUMN_FRAME_START_TIME);
    return (known & ~(interval | start)) | ((known & interval) != 0 ? start : 0) |
           ((known & start) != 0 ? interval : 0);
}

void dj_reader_swap_frame(struct dj_frame *frame)
{
    int64_t start = frame->value[DJ_COLUMN_FRAME_INTERVAL];
    frame->value[DJ_COLUMN_FRAME_INTERVAL] = frame->value[DJ_COLUMN_FRAME_START_TIME];
    frame->value[DJ_COLUMN_FRAME_START_TIME] = start;
    frame->known = swap_bits(frame->known);
}

static void swap_labels(struct dj_dump_window *window)
{
    for (size_t i = 0; i < window->frame_count; i++) {
        dj_reader_swap_frame(&window->frames[i]);
    }
    for (size_t i = 0; i < window->columns.count; i++) {
        uint8_t *column = &window->columns.column[i];
        if (*column == DJ_COLUMN_FRAME_INTERVAL) {
            *column = DJ_COLUMN_FRAME_START_TIME;
        } else if (*column == DJ_COLUMN_FRAME_START_TIME) {
            *column = DJ_COLUMN_FRAME_INTERVAL;
        }
    }
}

void dj_reader_correct_labels(struct dj_dump_window *window)
{
    if (has_labels(&window->columns) && has_swapped_labels(window)) {
        swap_labels(window);
    }
}
