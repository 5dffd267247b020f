/*
 * Parses gestures, for example:
 *
 *     tap @ text="Inbox"; fling up x5 pause 300ms @ scrollable
 *     swipe 50%,80% 50%,20% 250ms      # of the screen
 */
#include "drive/gesture/list.h"

#include "base/array.h"
#include "drive/gesture/words.h"

/* Bits for the kinds of words that a gesture accepts. */
enum argument {
    TAKES_POINT = 1 << 0,
    TAKES_POINTS = 1 << 1, /* Two points instead of one. */
    TAKES_DIRECTION = 1 << 2,
    TAKES_DURATION = 1 << 3,
    TAKES_TIMES = 1 << 4, /* The words "xN" and "pause TIME". */
    TAKES_SPEED = 1 << 5,
    TAKES_TARGET = 1 << 6,
    TAKES_IN_OUT = 1 << 7,
    TAKES_PERCENT = 1 << 8,
    TAKES_SOUGHT = 1 << 9,
    TAKES_KEY = 1 << 10,
    TAKES_TEXT = 1 << 11,
    TAKES_ROTATION = 1 << 12
};

static const struct {
    const char *name;
    unsigned takes;
    const char *form; /* The form of the gesture, for error messages. */
} kinds[DJ_GESTURE_KINDS] = {
    [DJ_GESTURE_TAP] = {"tap", TAKES_POINT | TAKES_TIMES | TAKES_TARGET,
                        "tap [X,Y] [xN] [pause TIME] [@ SELECTOR]"},
    [DJ_GESTURE_LONG_TAP] = {"long-tap",
                             TAKES_POINT | TAKES_DURATION | TAKES_TIMES | TAKES_TARGET,
                             "long-tap [X,Y] [TIME] [xN] [pause TIME] [@ SELECTOR]"},
    [DJ_GESTURE_SWIPE] = {"swipe",
                          TAKES_POINTS | TAKES_DIRECTION | TAKES_DURATION | TAKES_TIMES |
                              TAKES_TARGET,
                          "swipe X,Y X,Y|up|down|left|right [TIME] [xN] [pause TIME] [@ "
                          "SELECTOR]"},
    [DJ_GESTURE_FLING] = {"fling",
                          TAKES_DIRECTION | TAKES_SPEED | TAKES_TIMES | TAKES_TARGET,
                          "fling up|down|left|right [SPEEDpx/s] [xN] [pause TIME] [@ "
                          "SELECTOR]"},
    [DJ_GESTURE_DRAG] = {"drag",
                         TAKES_POINTS | TAKES_DIRECTION | TAKES_DURATION | TAKES_TIMES |
                             TAKES_TARGET,
                         "drag X,Y X,Y|up|down|left|right [TIME] [xN] [pause TIME] [@ "
                         "SELECTOR]"},
    [DJ_GESTURE_PINCH] = {"pinch",
                          TAKES_IN_OUT | TAKES_PERCENT | TAKES_DURATION | TAKES_TIMES |
                              TAKES_TARGET,
                          "pinch in|out [N%] [TIME] [xN] [pause TIME] [@ SELECTOR]"},
    [DJ_GESTURE_SCROLL_TO] =
        {"scroll-to", TAKES_DIRECTION | TAKES_TIMES | TAKES_SOUGHT | TAKES_TARGET,
         "scroll-to [up|down|left|right] [xN] SELECTOR [@ SELECTOR]"},
    [DJ_GESTURE_KEY] = {"key", TAKES_KEY | TAKES_TIMES, "key NAME [xN] [pause TIME]"},
    [DJ_GESTURE_TEXT] = {"text", TAKES_TEXT, "text \"WORDS\""},
    [DJ_GESTURE_ROTATE] = {"rotate", TAKES_ROTATION, "rotate 0|90|180|270"},
    [DJ_GESTURE_WAIT] = {"wait", TAKES_DURATION, "wait TIME"},
    [DJ_GESTURE_WAIT_FOR] = {"wait-for", TAKES_DURATION | TAKES_SOUGHT,
                             "wait-for [TIME] SELECTOR"},
};

const char *dj_gesture_name(enum dj_gesture_kind kind)
{
    return kinds[kind].name;
}

static int fail_form(const struct dj_gesture_reader *reader, size_t at,
                     enum dj_gesture_kind kind)
{
    char what[200];
    snprintf(what, sizeof(what), "expected %s", kinds[kind].form);
    return dj_gesture_fail(reader, at, what);
}

static bool read_direction(struct dj_str word, unsigned takes,
                           enum dj_direction *direction)
{
    static const struct {
        const char *word;
        unsigned takes;
        enum dj_direction direction;
    } words[] = {
        {"up", TAKES_DIRECTION, DJ_DIRECTION_UP},
        {"down", TAKES_DIRECTION, DJ_DIRECTION_DOWN},
        {"left", TAKES_DIRECTION, DJ_DIRECTION_LEFT},
        {"right", TAKES_DIRECTION, DJ_DIRECTION_RIGHT},
        {"in", TAKES_IN_OUT, DJ_DIRECTION_IN},
        {"out", TAKES_IN_OUT, DJ_DIRECTION_OUT},
    };
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if ((takes & words[i].takes) != 0 && dj_str_is(word, words[i].word)) {
            *direction = words[i].direction;
            return true;
        }
    }
    return false;
}

/* Reads one word of a gesture. Returns false if the gesture does not accept this word. */
static bool read_word(struct dj_gesture_reader *reader, struct dj_str word,
                      struct dj_gesture *gesture)
{
    unsigned takes = kinds[gesture->kind].takes;
    int points = (takes & TAKES_POINTS) ? 2 : (takes & TAKES_POINT) ? 1 : 0;
    if (gesture->direction == DJ_DIRECTION_NONE &&
        read_direction(word, takes, &gesture->direction)) {
        return true;
    }
    if (gesture->point_count < points &&
        dj_word_point(word, &gesture->points[gesture->point_count])) {
        gesture->point_count++;
        return true;
    }
    if ((takes & TAKES_TIMES) != 0 && dj_str_is(word, "pause") && gesture->pause_ns < 0) {
        return dj_word_duration(dj_gesture_next_word(reader), &gesture->pause_ns);
    }
    return ((takes & TAKES_TIMES) != 0 && dj_word_times(word, &gesture->times)) ||
           ((takes & TAKES_DURATION) != 0 && gesture->duration_ns < 0 &&
            dj_word_duration(word, &gesture->duration_ns)) ||
           ((takes & TAKES_SPEED) != 0 &&
            dj_word_number(word, "px/s", &gesture->speed_px_s) &&
            gesture->speed_px_s >= 1) ||
           ((takes & TAKES_PERCENT) != 0 &&
            dj_word_number(word, "%", &gesture->percent) && gesture->percent >= 1 &&
            gesture->percent <= 100) ||
           ((takes & TAKES_ROTATION) != 0 && dj_word_rotation(word, &gesture->rotation));
}

static int read_target(struct dj_gesture_reader *reader, struct dj_gesture *gesture)
{
    dj_gesture_skip_blanks(reader);
    if (dj_gesture_is_at_end(reader)) {
        return 0;
    }
    if (reader->text[reader->at] != '@' || !(kinds[gesture->kind].takes & TAKES_TARGET)) {
        return fail_form(reader, reader->at, gesture->kind);
    }
    reader->at++;
    int code = dj_gesture_next_selector(reader, &gesture->target);
    return code == 0 && !dj_gesture_is_at_end(reader)
               ? dj_gesture_fail(reader, reader->at, "a gesture has only one target")
               : code;
}

/* Reads the quoted string after `text`, such as "hello \"world\"". */
static int read_text(struct dj_gesture_reader *reader, struct dj_gesture *gesture)
{
    struct dj_text text = {.maximum = DJ_GESTURE_TEXT_MAX};
    dj_gesture_skip_blanks(reader);
    size_t begin = reader->at;
    if (dj_gesture_is_at_end(reader) || reader->text[reader->at] != '"') {
        return fail_form(reader, begin, gesture->kind);
    }
    for (reader->at++; reader->at < reader->length && reader->text[reader->at] != '"';
         reader->at++) {
        bool escape = reader->text[reader->at] == '\\' && reader->at + 1 < reader->length;
        reader->at += escape;
        dj_text_append(&text, reader->text + reader->at, 1);
    }
    int code = 0;
    if (reader->at >= reader->length) {
        code = dj_gesture_fail(reader, begin, "this quote is not closed");
    } else if (text.full || memchr(dj_text_get(&text), '\0', text.length) != NULL) {
        code =
            dj_gesture_fail(reader, begin, "expected at most 1000 bytes, none of them 0");
    } else if ((gesture->word = strdup(dj_text_get(&text))) == NULL || text.failed) {
        code = dj_error_set(reader->err, DJ_E_NO_MEMORY, "out of memory");
    }
    dj_text_finish(&text);
    reader->at++;
    return code;
}

static int read_key(struct dj_gesture_reader *reader, struct dj_gesture *gesture)
{
    struct dj_str word = dj_gesture_next_word(reader);
    if (!dj_word_is_key(word)) {
        return dj_gesture_fail(reader, (size_t)(word.at - reader->text),
                               "expected a key such as back, enter or 66");
    }
    gesture->word = dj_text_copy(word.at, word.length);
    return gesture->word != NULL
               ? 0
               : dj_error_set(reader->err, DJ_E_NO_MEMORY, "out of memory");
}

/* Returns whether the gesture has all required words. */
static bool is_complete(const struct dj_gesture *gesture)
{
    unsigned takes = kinds[gesture->kind].takes;
    bool line = gesture->direction != DJ_DIRECTION_NONE || gesture->point_count == 2;
    if ((takes & TAKES_POINTS) != 0) {
        return line && !(gesture->direction != DJ_DIRECTION_NONE && gesture->point_count);
    }
    if ((takes & TAKES_POINT) != 0) {
        return gesture->point_count == 1 || gesture->target != NULL;
    }
    if ((takes & TAKES_ROTATION) != 0) {
        return gesture->rotation >= 0;
    }
    if (gesture->kind == DJ_GESTURE_WAIT) {
        return gesture->duration_ns >= 0;
    }
    return (takes & (TAKES_DIRECTION | TAKES_IN_OUT)) == 0 || (takes & TAKES_SOUGHT) ||
           gesture->direction != DJ_DIRECTION_NONE;
}

static int read_arguments(struct dj_gesture_reader *reader, struct dj_gesture *gesture)
{
    unsigned takes = kinds[gesture->kind].takes;
    int code = (takes & TAKES_KEY)    ? read_key(reader, gesture)
               : (takes & TAKES_TEXT) ? read_text(reader, gesture)
                                      : 0;
    while (code == 0) {
        dj_gesture_skip_blanks(reader);
        if (dj_gesture_is_at_end(reader) || reader->text[reader->at] == '@') {
            break;
        }
        size_t begin = reader->at;
        if (read_word(reader, dj_gesture_next_word(reader), gesture)) {
            continue;
        }
        reader->at = begin;
        if ((takes & TAKES_SOUGHT) != 0) {
            break;
        }
        return fail_form(reader, begin, gesture->kind);
    }
    if (code == 0 && (takes & TAKES_SOUGHT) != 0) {
        code = dj_gesture_next_selector(reader, &gesture->sought);
    }
    return code == 0 ? read_target(reader, gesture) : code;
}

static bool find_kind(struct dj_str word, enum dj_gesture_kind *kind)
{
    for (int i = 0; i < DJ_GESTURE_KINDS; i++) {
        if (dj_str_is(word, kinds[i].name)) {
            *kind = (enum dj_gesture_kind)i;
            return true;
        }
    }
    return false;
}

static int fail_kind(const struct dj_gesture_reader *reader, size_t at)
{
    struct dj_text what = {0};
    dj_text_add(&what, "expected a gesture:");
    for (int i = 0; i < DJ_GESTURE_KINDS; i++) {
        dj_text_format(&what, "%s %s", i > 0 ? "," : "", kinds[i].name);
    }
    int code = dj_gesture_fail(reader, at, dj_text_get(&what));
    dj_text_finish(&what);
    return code;
}

static int read_gesture(struct dj_gesture_reader *reader, struct dj_gesture *gesture)
{
    size_t begin = reader->at;
    *gesture = (struct dj_gesture){
        .duration_ns = -1, .pause_ns = -1, .rotation = -1, .times = 1};
    if (!find_kind(dj_gesture_next_word(reader), &gesture->kind)) {
        return fail_kind(reader, begin);
    }
    int code = read_arguments(reader, gesture);
    return code == 0 && !is_complete(gesture) ? fail_form(reader, begin, gesture->kind)
                                              : code;
}

int dj_gesture_parse_list(const char *text, size_t length,
                          struct dj_gesture_list *gestures, struct dj_error *err)
{
    struct dj_gesture_reader reader = {.text = text, .length = length, .err = err};
    int code = 0;
    dj_gesture_skip_between(&reader);
    if (reader.at >= length) {
        return fail_kind(&reader, reader.at);
    }
    while (code == 0 && reader.at < length) {
        if (!DJ_ARRAY_ROOM(gestures->items, gestures->count)) {
            return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
        }
        if (gestures->count == DJ_GESTURES_MAX) {
            return dj_gesture_fail(&reader, reader.at,
                                   "a list has at most 1000 gestures");
        }
        code = read_gesture(&reader, &gestures->items[gestures->count++]);
        dj_gesture_skip_between(&reader);
    }
    return code;
}

void dj_gesture_finish_list(struct dj_gesture_list *gestures)
{
    for (size_t i = 0; i < gestures->count; i++) {
        free(gestures->items[i].word);
        dj_drive_selector_destroy(gestures->items[i].target);
        dj_drive_selector_destroy(gestures->items[i].sought);
    }
    free(gestures->items);
    *gestures = (struct dj_gesture_list){0};
}
