/*
 * Reading gestures:
 *
 *     tap @ text="Inbox"; fling up x5 pause 300ms @ scrollable
 *     swipe 50%,80% 50%,20% 250ms      # of the screen
 */
#include "drive/gesture.h"

#include "base/array.h"
#include "base/utf8.h"
#include "drive/gesture_words.h"

/* What a gesture's words may be. */
enum argument {
    TAKES_POINT = 1 << 0,
    TAKES_POINTS = 1 << 1, /* two */
    TAKES_DIRECTION = 1 << 2,
    TAKES_DURATION = 1 << 3,
    TAKES_TIMES = 1 << 4, /* xN and pause D */
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
    const char *form; /* what is expected, for messages */
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

struct parser {
    const char *text;
    size_t length, at;
    struct dj_error *err;
};

const char *dj_gesture_name(enum dj_gesture_kind kind)
{
    return kinds[kind].name;
}

bool dj_gesture_needs_tree(const struct dj_gesture *gesture)
{
    return gesture->target != NULL || gesture->sought != NULL;
}

static int fail_at(const struct parser *parser, size_t at, const char *what)
{
    size_t line = 1, column = 1;
    for (size_t i = 0; i < at;) {
        bool newline = parser->text[i] == '\n';
        i += dj_utf8_at(parser->text + i, parser->length - i).bytes;
        line += newline;
        column = newline ? 1 : column + 1;
    }
    return dj_error_set_at(parser->err, DJ_E_USAGE, (long long)at,
                           "gestures, line %zu, column %zu: %s", line, column, what);
}

static int fail_form(const struct parser *parser, size_t at, enum dj_gesture_kind kind)
{
    char what[200];
    snprintf(what, sizeof(what), "expected %s", kinds[kind].form);
    return fail_at(parser, at, what);
}

/* A gesture's end: ; or a newline or a comment. */
static bool ends(const struct parser *parser)
{
    return parser->at >= parser->length ||
           memchr(";\n#", parser->text[parser->at], 3) != NULL;
}

static void skip_blanks(struct parser *parser)
{
    while (parser->at < parser->length &&
           memchr(" \t\r", parser->text[parser->at], 3) != NULL) {
        parser->at++;
    }
}

static void skip_between(struct parser *parser)
{
    while (parser->at < parser->length) {
        char c = parser->text[parser->at];
        if (c == '#') {
            const char *end =
                memchr(parser->text + parser->at, '\n', parser->length - parser->at);
            parser->at = end != NULL ? (size_t)(end - parser->text) : parser->length;
        } else if (memchr(" \t\r\n;", c, 5) != NULL) {
            parser->at++;
        } else {
            return;
        }
    }
}

static struct dj_gesture_word next_token(struct parser *parser)
{
    skip_blanks(parser);
    struct dj_gesture_word token = {parser->text + parser->at, 0, parser->at};
    while (!ends(parser) && memchr(" \t\r", parser->text[parser->at], 3) == NULL) {
        parser->at++;
    }
    token.length = parser->at - token.at;
    return token;
}

static bool read_direction(const struct dj_gesture_word *token, unsigned takes,
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
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if ((takes & words[i].takes) != 0 && dj_word_is(token, words[i].word)) {
            *direction = words[i].direction;
            return true;
        }
    }
    return false;
}

/* One word of a gesture; false: it has no place there. */
static bool read_word(struct parser *parser, const struct dj_gesture_word *token,
                      struct dj_gesture *gesture)
{
    unsigned takes = kinds[gesture->kind].takes;
    int points = (takes & TAKES_POINTS) ? 2 : (takes & TAKES_POINT) ? 1 : 0;
    if (gesture->direction == DJ_DIRECTION_NONE &&
        read_direction(token, takes, &gesture->direction)) {
        return true;
    }
    if (gesture->point_count < points &&
        dj_word_point(token, &gesture->points[gesture->point_count])) {
        gesture->point_count++;
        return true;
    }
    if ((takes & TAKES_TIMES) != 0 && dj_word_is(token, "pause") &&
        gesture->pause_ns < 0) {
        struct dj_gesture_word duration = next_token(parser);
        return dj_word_duration(&duration, &gesture->pause_ns);
    }
    return ((takes & TAKES_TIMES) != 0 && dj_word_times(token, &gesture->times)) ||
           ((takes & TAKES_DURATION) != 0 && gesture->duration_ns < 0 &&
            dj_word_duration(token, &gesture->duration_ns)) ||
           ((takes & TAKES_SPEED) != 0 &&
            dj_word_number(token, "px/s", &gesture->speed_px_s) &&
            gesture->speed_px_s >= 1) ||
           ((takes & TAKES_PERCENT) != 0 &&
            dj_word_number(token, "%", &gesture->percent) && gesture->percent >= 1 &&
            gesture->percent <= 100) ||
           ((takes & TAKES_ROTATION) != 0 && dj_word_rotation(token, &gesture->rotation));
}

/* The selector from here to the gesture's end, or to its @. Quotes hide both. */
static int read_selector(struct parser *parser, struct dj_selector **selector)
{
    skip_blanks(parser);
    size_t begin = parser->at;
    char quote = '\0';
    for (; parser->at < parser->length; parser->at++) {
        char c = parser->text[parser->at];
        if (quote == '\0' && (ends(parser) || c == '@')) {
            break;
        }
        if (quote != '\0' && c == '\\') {
            parser->at++;
        } else if (c == quote) {
            quote = '\0';
        } else if (quote == '\0' && (c == '"' || c == '\'')) {
            quote = c;
        }
    }
    parser->at = parser->at > parser->length ? parser->length : parser->at;
    size_t length = parser->at - begin;
    while (length > 0 && memchr(" \t\r", parser->text[begin + length - 1], 3) != NULL) {
        length--;
    }
    struct dj_error inner = {0};
    int code = dj_selector_parse(parser->text + begin, length, selector, &inner);
    if (code == DJ_E_USAGE) {
        /* Its own column, behind the gesture's. */
        const char *what = strchr(inner.message, ':');
        return fail_at(parser, begin + (size_t)inner.offset,
                       what != NULL ? what + 2 : inner.message);
    }
    return code == 0 ? 0 : dj_error_set(parser->err, code, "%s", inner.message);
}

static int read_target(struct parser *parser, struct dj_gesture *gesture)
{
    skip_blanks(parser);
    if (ends(parser)) {
        return 0;
    }
    if (parser->text[parser->at] != '@' || !(kinds[gesture->kind].takes & TAKES_TARGET)) {
        return fail_form(parser, parser->at, gesture->kind);
    }
    parser->at++;
    int code = read_selector(parser, &gesture->target);
    return code == 0 && !ends(parser)
               ? fail_at(parser, parser->at, "a gesture has one target")
               : code;
}

/* text "hello \"world\"" */
static int read_text(struct parser *parser, struct dj_gesture *gesture)
{
    struct dj_text text = {.maximum = DJ_GESTURE_TEXT_MAX};
    skip_blanks(parser);
    size_t begin = parser->at;
    if (ends(parser) || parser->text[parser->at] != '"') {
        return fail_form(parser, begin, gesture->kind);
    }
    for (parser->at++; parser->at < parser->length && parser->text[parser->at] != '"';
         parser->at++) {
        bool escape = parser->text[parser->at] == '\\' && parser->at + 1 < parser->length;
        parser->at += escape;
        dj_text_append(&text, parser->text + parser->at, 1);
    }
    int code = 0;
    if (parser->at >= parser->length) {
        code = fail_at(parser, begin, "this quote is never closed");
    } else if (text.full || memchr(dj_text_get(&text), '\0', text.length) != NULL) {
        code = fail_at(parser, begin, "expected at most 1000 bytes, none of them 0");
    } else if ((gesture->word = strdup(dj_text_get(&text))) == NULL || text.failed) {
        code = dj_error_set(parser->err, DJ_E_NO_MEMORY, "out of memory");
    }
    dj_text_finish(&text);
    parser->at++;
    return code;
}

static int read_key(struct parser *parser, struct dj_gesture *gesture)
{
    struct dj_gesture_word token = next_token(parser);
    if (!dj_word_is_key(&token)) {
        return fail_at(parser, token.at, "expected a key such as back, enter or 66");
    }
    gesture->word = dj_text_copy(token.word, token.length);
    return gesture->word != NULL
               ? 0
               : dj_error_set(parser->err, DJ_E_NO_MEMORY, "out of memory");
}

/* What cannot be left out. */
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

static int read_arguments(struct parser *parser, struct dj_gesture *gesture)
{
    unsigned takes = kinds[gesture->kind].takes;
    int code = (takes & TAKES_KEY)    ? read_key(parser, gesture)
               : (takes & TAKES_TEXT) ? read_text(parser, gesture)
                                      : 0;
    while (code == 0) {
        skip_blanks(parser);
        if (ends(parser) || parser->text[parser->at] == '@') {
            break;
        }
        struct dj_gesture_word token = next_token(parser);
        if (read_word(parser, &token, gesture)) {
            continue;
        }
        parser->at = token.at;
        if ((takes & TAKES_SOUGHT) != 0) {
            break;
        }
        return fail_form(parser, token.at, gesture->kind);
    }
    if (code == 0 && (takes & TAKES_SOUGHT) != 0) {
        code = read_selector(parser, &gesture->sought);
    }
    return code == 0 ? read_target(parser, gesture) : code;
}

static bool find_kind(const struct dj_gesture_word *token, enum dj_gesture_kind *kind)
{
    for (int i = 0; i < DJ_GESTURE_KINDS; i++) {
        if (dj_word_is(token, kinds[i].name)) {
            *kind = (enum dj_gesture_kind)i;
            return true;
        }
    }
    return false;
}

static int fail_kind(const struct parser *parser, size_t at)
{
    struct dj_text what = {0};
    dj_text_string(&what, "expected a gesture:");
    for (int i = 0; i < DJ_GESTURE_KINDS; i++) {
        dj_text_format(&what, "%s %s", i > 0 ? "," : "", kinds[i].name);
    }
    int code = fail_at(parser, at, dj_text_get(&what));
    dj_text_finish(&what);
    return code;
}

static int read_gesture(struct parser *parser, struct dj_gesture *gesture)
{
    struct dj_gesture_word token = next_token(parser);
    *gesture = (struct dj_gesture){
        .duration_ns = -1, .pause_ns = -1, .rotation = -1, .times = 1};
    if (!find_kind(&token, &gesture->kind)) {
        return fail_kind(parser, token.at);
    }
    int code = read_arguments(parser, gesture);
    return code == 0 && !is_complete(gesture) ? fail_form(parser, token.at, gesture->kind)
                                              : code;
}

int dj_gestures_parse(const char *text, size_t length, struct dj_gestures *gestures,
                      struct dj_error *err)
{
    struct parser parser = {.text = text, .length = length, .err = err};
    int code = 0;
    skip_between(&parser);
    if (parser.at >= length) {
        return fail_kind(&parser, parser.at);
    }
    while (code == 0 && parser.at < length) {
        struct dj_gesture *items = dj_array_resize(gestures->items, gestures->count + 1,
                                                   sizeof(*gestures->items));
        if (items == NULL) {
            return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
        }
        gestures->items = items;
        if (gestures->count == DJ_GESTURES_MAX) {
            return fail_at(&parser, parser.at, "a list has at most 1000 gestures");
        }
        code = read_gesture(&parser, &items[gestures->count++]);
        skip_between(&parser);
    }
    return code;
}

void dj_gestures_finish(struct dj_gestures *gestures)
{
    for (size_t i = 0; i < gestures->count; i++) {
        free(gestures->items[i].word);
        dj_selector_destroy(gestures->items[i].target);
        dj_selector_destroy(gestures->items[i].sought);
    }
    free(gestures->items);
    *gestures = (struct dj_gestures){0};
}
