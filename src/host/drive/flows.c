#include "drive/flows.h"

#include "base/str.h"
#include "base/utf8.h"

/* The default selector finds the first view that can be scrolled. */
#define LIST "list", "scrollable", "selector of the list"
#define TIMES(COUNT) "times", COUNT, "number of repetitions"
#define PAUSE(TIME) "pause", TIME, "pause after each repetition, until the motion ends"

static const struct dj_flow flows[] = {
    {"scroll-down",
     "fling a list towards its end",
     "layout and binding of new rows, drawing while scrolling, input latency",
     "fling up x$times pause $pause @ $list",
     DJ_LAUNCH_NONE,
     {{TIMES("5")}, {PAUSE("700ms")}, {LIST}}},
    {"scroll-up",
     "fling a list towards its start; scroll it down first",
     "binding of rows that were there before: caches, recycling",
     "fling down x$times pause $pause @ $list",
     DJ_LAUNCH_NONE,
     {{TIMES("5")}, {PAUSE("700ms")}, {LIST}}},
    {"wait-async-then-scroll",
     "wait until content has loaded, then fling the list towards its end",
     "work that background threads pass to the UI thread during scrolling",
     "wait $wait; fling up x$times pause $pause @ $list",
     DJ_LAUNCH_NONE,
     {{"wait", "2s", "time for the content to load"},
      {TIMES("5")},
      {PAUSE("700ms")},
      {LIST}}},
    {"bitmap-scroll",
     "fling quickly through a list of pictures, down and up",
     "decoding and uploading of bitmaps (sync and draw), memory and garbage collection",
     "fling up x$times pause $pause @ $list; fling down x$times pause $pause @ $list",
     DJ_LAUNCH_NONE,
     {{TIMES("8")}, {PAUSE("150ms")}, {LIST}}},
    {"alpha-fade",
     "tap a view that starts a fade animation, repeatedly",
     "overdraw and offscreen layers: the GPU",
     "tap x$times pause $pause @ $tap",
     DJ_LAUNCH_NONE,
     {{"tap", "", "selector of the view that starts the animation"},
      {TIMES("6")},
      {PAUSE("800ms")}}},
    {"custom-draw",
     "wait while content animates without input",
     "the app's own drawing (onDraw, canvas, GL) without any input",
     "wait $wait",
     DJ_LAUNCH_NONE,
     {{"wait", "5s", "duration"}}},
    {"launch-cold",
     "launch the app after ending its process",
     "process start, class loading, inflating the first screen",
     "wait $wait",
     DJ_LAUNCH_COLD,
     {{"wait", "2s", "time after the launch, for the first frames"}}},
    {"launch-warm",
     "launch the app while its process runs, but without its activity",
     "inflating the first screen",
     "wait $wait",
     DJ_LAUNCH_WARM,
     {{"wait", "2s", "time after the launch, for the first frames"}}},
    {"launch-hot",
     "bring the app to the front again",
     "the first frames of an existing window",
     "wait $wait",
     DJ_LAUNCH_HOT,
     {{"wait", "2s", "time after the launch, for the first frames"}}},
};

enum { FLOWS = COUNT_OF(flows) };

const struct dj_flow *dj_flows_find(const char *name, size_t length)
{
    for (size_t i = 0; i < FLOWS; i++) {
        if (dj_str_is((struct dj_str){name, length}, flows[i].name)) {
            return &flows[i];
        }
    }
    return NULL;
}

struct parser {
    const char *text;
    size_t length, at;
    const struct dj_flow *flow;
    /* The values of the parameters. A parameter that was not given has an empty value. */
    struct dj_text values[DJ_FLOW_PARAMETERS];
    struct dj_error *err;
};

static int fail_at(const struct parser *parser, size_t at, const char *what)
{
    size_t column = 1;
    for (size_t i = 0; i < at;
         i += dj_utf8_at(parser->text + i, parser->length - i).bytes) {
        column++;
    }
    return dj_error_set_at(parser->err, DJ_E_USAGE, (long long)at, "flow, column %zu: %s",
                           column, what);
}

/* Returns an error that lists the parameters of the flow. */
static int fail_name(const struct parser *parser, size_t at)
{
    struct dj_text what = {0};
    dj_text_format(&what, "%s accepts", parser->flow->name);
    for (size_t i = 0; i < DJ_FLOW_PARAMETERS && parser->flow->parameters[i].name; i++) {
        dj_text_format(&what, "%s %s=", i > 0 ? "," : "",
                       parser->flow->parameters[i].name);
    }
    int code = fail_at(parser, at, dj_text_get(&what));
    dj_text_finish(&what);
    return code;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Returns the index of the parameter with this name, or DJ_FLOW_PARAMETERS if the flow
 * has none. */
static size_t find_parameter(const struct dj_flow *flow, struct dj_str name)
{
    size_t i = 0;
    while (i < DJ_FLOW_PARAMETERS && (flow->parameters[i].name == NULL ||
                                      !dj_str_is(name, flow->parameters[i].name))) {
        i++;
    }
    return i;
}

/* Reads "NAME=" and returns the index of the parameter with this name. Returns
 * DJ_FLOW_PARAMETERS if there is no such parameter. */
static size_t read_name(struct parser *parser)
{
    size_t begin = parser->at;
    while (parser->at < parser->length && parser->text[parser->at] != '=' &&
           !is_blank(parser->text[parser->at])) {
        parser->at++;
    }
    struct dj_str name = {parser->text + begin, parser->at - begin};
    bool is_named = parser->at < parser->length && parser->text[parser->at] == '=';
    parser->at += is_named;
    return is_named ? find_parameter(parser->flow, name) : DJ_FLOW_PARAMETERS;
}

static int read_value(struct parser *parser, struct dj_text *value)
{
    size_t begin = parser->at;
    char quote = parser->at < parser->length ? parser->text[parser->at] : '\0';
    bool quoted = quote == '"' || quote == '\'';
    parser->at += quoted;
    while (parser->at < parser->length) {
        char c = parser->text[parser->at];
        if (quoted ? c == quote : is_blank(c)) {
            break;
        }
        bool escape = quoted && c == '\\' && parser->at + 1 < parser->length &&
                      parser->text[parser->at + 1] == quote;
        parser->at += escape;
        dj_text_append(value, parser->text + parser->at++, 1);
    }
    if (quoted && parser->at >= parser->length) {
        return fail_at(parser, begin, "this quote is not closed");
    }
    parser->at += quoted;
    return value->length > 0 ? 0 : fail_at(parser, begin, "expected a value");
}

static int read_parameters(struct parser *parser)
{
    for (;;) {
        while (parser->at < parser->length && is_blank(parser->text[parser->at])) {
            parser->at++;
        }
        if (parser->at == parser->length) {
            return 0;
        }
        size_t begin = parser->at, which = read_name(parser);
        if (which == DJ_FLOW_PARAMETERS) {
            return fail_name(parser, begin);
        }
        if (parser->values[which].length > 0) {
            return fail_at(parser, begin, "this parameter is given twice");
        }
        int code = read_value(parser, &parser->values[which]);
        if (code != 0) {
            return code;
        }
    }
}

/* Appends the gestures of the flow with each $NAME replaced by the value of the
 * parameter. */
static int expand_gestures(struct parser *parser, struct dj_text *gestures)
{
    const char *at = parser->flow->gestures;
    for (size_t plain = strcspn(at, "$"); at[plain] == '$'; plain = strcspn(at, "$")) {
        dj_text_append(gestures, at, plain);
        at += plain + 1;
        struct dj_str name = {at, strspn(at, "abcdefghijklmnopqrstuvwxyz")};
        size_t which = find_parameter(parser->flow, name);
        const struct dj_flow_parameter *parameter = &parser->flow->parameters[which];
        const struct dj_text *value = &parser->values[which];
        if (value->length == 0 && parameter->value[0] == '\0') {
            struct dj_text what = {0};
            dj_text_format(&what, "%s needs %s=, %s", parser->flow->name, parameter->name,
                           parameter->help);
            int code = fail_at(parser, parser->length, dj_text_get(&what));
            dj_text_finish(&what);
            return code;
        }
        dj_text_add(gestures, value->length > 0 ? value->data : parameter->value);
        at += name.length;
    }
    dj_text_add(gestures, at);
    return gestures->failed ? dj_error_set(parser->err, DJ_E_NO_MEMORY, "out of memory")
                            : 0;
}

int dj_flows_expand(const char *text, size_t length, const struct dj_flow **flow,
                    struct dj_text *gestures, struct dj_error *err)
{
    struct dj_str name = dj_str_until((struct dj_str){text, length}, " \t\n\r");
    struct parser parser = {.text = text,
                            .length = length,
                            .at = name.length,
                            .flow = dj_flows_find(text, name.length),
                            .err = err};
    if (parser.flow == NULL) {
        return fail_at(&parser, 0, "expected a flow's name");
    }
    int code = read_parameters(&parser);
    if (code == 0) {
        code = expand_gestures(&parser, gestures);
    }
    for (size_t i = 0; i < DJ_FLOW_PARAMETERS; i++) {
        dj_text_finish(&parser.values[i]);
    }
    *flow = parser.flow;
    return code;
}

void dj_drive_describe_flows(struct dj_text *text)
{
    for (size_t i = 0; i < FLOWS; i++) {
        dj_text_format(text, "%s%s: %s\n    stresses %s\n", i > 0 ? "\n" : "",
                       flows[i].name, flows[i].summary, flows[i].stresses);
        for (size_t k = 0; k < DJ_FLOW_PARAMETERS && flows[i].parameters[k].name; k++) {
            const struct dj_flow_parameter *one = &flows[i].parameters[k];
            dj_text_format(text, "    %s=%s  %s\n", one->name,
                           one->value[0] != '\0' ? one->value : "…", one->help);
        }
    }
}
