#include "hooks/qt/windows.h"

#include <stddef.h>

#include "base/utf8.h"

/* QString. In Qt 5, it is a pointer to a header that contains the offset of the text. In
 * Qt 6, it consists of a header pointer, a text pointer and the length. C++ functions
 * return it in memory, like every object with a destructor. Three words are too large for
 * the result registers, so C functions return this struct in memory, too. */
struct string {
    uintptr_t word[3];
};

struct head { /* Same layout as QArrayData of Qt 5. */
    int references;
    int length;
    unsigned allocated;
    ptrdiff_t offset;
};

struct text {
    const uint16_t *units;
    size_t length;
};

static struct text get_text(enum dj_qt qt, const struct string *string)
{
    if (qt == DJ_QT_6) {
        return (struct text){(const uint16_t *)string->word[1], string->word[2]};
    }
    const struct head *head = (const struct head *)string->word[0];
    return (struct text){(const uint16_t *)((const char *)head + head->offset),
                         (size_t)head->length};
}

/* Returns the code point at index *at and moves *at to the next one. */
static uint32_t read_code_point(struct text text, size_t *at)
{
    uint32_t unit = text.units[(*at)++];
    if (unit < 0xd800 || unit > 0xdfff) {
        return unit;
    }
    uint32_t low = *at < text.length ? text.units[*at] : 0;
    if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff) {
        return 0xfffd;
    }
    (*at)++;
    return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
}

static void convert_to_utf8(struct text text, char *out, size_t size)
{
    size_t length = 0, at = 0;
    while (at < text.length && length + DJ_UTF8_MOST < size) {
        length += dj_utf8_write(out + length, read_code_point(text, &at));
    }
    out[length] = '\0';
}

void dj_qt_report_title(enum dj_qt qt, const void *window)
{
    struct string (*title_of)(const void *) = dj_qt_find(qt, DJ_QT_WINDOW_TITLE, NULL);
    void *(*assign)(struct string *, const struct string *) =
        dj_qt_find(qt, DJ_QT_STRING_ASSIGN, NULL);
    struct string empty = {0};
    if (qt == DJ_QT_5) {
        empty.word[0] = (uintptr_t)dj_qt_find(qt, DJ_QT_SHARED_NULL, NULL);
    }
    if (title_of == NULL || assign == NULL || (qt == DJ_QT_5 && empty.word[0] == 0)) {
        return;
    }
    char title[DJ_SEGMENT_NAME];
    struct string string = title_of(window);
    convert_to_utf8(get_text(qt, &string), title, sizeof(title));
    assign(&string, &empty); /* Releases the text of `string`. */
    if (title[0] != '\0') {
        dj_recorder_set_title(dj_qt_surface(window), title);
    }
}

void dj_qt_report_visibility(enum dj_qt qt, const void *window)
{
    enum { HIDDEN = 0, MINIMIZED = 3 }; /* Values of QWindow::Visibility. */
    int (*visibility_of)(const void *) = dj_qt_find(qt, DJ_QT_WINDOW_VISIBILITY, NULL);
    if (visibility_of != NULL) {
        int visibility = visibility_of(window);
        dj_recorder_set_visibility(dj_qt_surface(window), visibility == HIDDEN ? DJ_GONE
                                                          : visibility == MINIMIZED
                                                              ? DJ_INVISIBLE
                                                              : DJ_VISIBLE);
    }
}

void dj_qt_report_interval(enum dj_qt qt, const void *window)
{
    enum { HZ_MIN = 1, HZ_MAX = 1000, UNKNOWN_HZ = 60, SECOND_NS = 1000000000 };
    void *(*screen_of)(const void *) = dj_qt_find(qt, DJ_QT_WINDOW_SCREEN, NULL);
    double (*rate_of)(const void *) = dj_qt_find(qt, DJ_QT_SCREEN_REFRESH_RATE, NULL);
    const void *screen = screen_of != NULL ? screen_of(window) : NULL;
    double hz = screen != NULL && rate_of != NULL ? rate_of(screen) : 0;
    /* A rate of exactly 60 is ignored, because Qt also reports it for a screen with an
     * unknown rate. */
    if (hz >= HZ_MIN && hz <= HZ_MAX && (hz < UNKNOWN_HZ || hz > UNKNOWN_HZ)) {
        dj_recorder_set_interval(dj_qt_surface(window), (int64_t)(SECOND_NS / hz));
    }
}

bool dj_qt_is_on_screen(enum dj_qt qt, const void *window)
{
    void *(*handle_of)(const void *) = dj_qt_find(qt, DJ_QT_WINDOW_HANDLE, NULL);
    return handle_of == NULL || handle_of(window) != NULL;
}
