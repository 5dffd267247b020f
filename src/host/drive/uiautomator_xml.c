/*
 * Parses the XML of `uiautomator dump`:
 *
 *     <hierarchy rotation="0"><node index="0" text="" resource-id="android:id/list"
 *       class="android.widget.ListView" package="com.example" content-desc=""
 *       scrollable="true" … bounds="[0,210][1080,1794]"> … </node></hierarchy>
 */
#include "drive/ui_tree.h"

#include <errno.h>
#include <expat.h>
#include <limits.h>

struct reading {
    struct dj_ui_tree *tree;
    XML_Parser parser;
    size_t open; /* Index of the innermost node that has not been closed. */
    int depth;   /* Number of XML elements that have not been closed. */
    struct dj_error *err;
    int code;
};

static void fail_at_line(struct reading *reading, int code, const char *what,
                         const char *word)
{
    if (reading->code == 0) {
        reading->code = dj_error_set_at(
            reading->err, code, XML_GetCurrentByteIndex(reading->parser),
            "line %lu, column %lu: %s%.100s",
            (unsigned long)XML_GetCurrentLineNumber(reading->parser),
            (unsigned long)XML_GetCurrentColumnNumber(reading->parser) + 1, what, word);
        XML_StopParser(reading->parser, XML_FALSE);
    }
}

static bool read_number(const char **at, char end, int *number)
{
    char *behind;
    errno = 0;
    long value = strtol(*at, &behind, 10);
    if (behind == *at || *behind != end || errno != 0 || value > INT_MAX / 4 ||
        value < INT_MIN / 4) {
        return false;
    }
    *number = (int)value;
    *at = behind + 1;
    return true;
}

/* Parses bounds such as "[0,210][1080,1794]". */
static bool read_bounds(const char *at, struct dj_ui_rect *bounds)
{
    if (*at++ != '[' || !read_number(&at, ',', &bounds->left) ||
        !read_number(&at, ']', &bounds->top) || *at++ != '[' ||
        !read_number(&at, ',', &bounds->right)) {
        return false;
    }
    return read_number(&at, ']', &bounds->bottom) && *at == '\0';
}

static const char *const field_names[DJ_UI_FIELDS] = {
    [DJ_UI_TEXT] = "text",   [DJ_UI_DESC] = "content-desc", [DJ_UI_ID] = "resource-id",
    [DJ_UI_CLASS] = "class", [DJ_UI_PACKAGE] = "package",
};

static void read_attribute(struct reading *reading, struct dj_ui_node *node,
                           const char *name, const char *value)
{
    unsigned flag = dj_ui_tree_find_flag(name, strlen(name));
    if (flag != 0) {
        if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0) {
            fail_at_line(reading, DJ_E_INVALID, "expected true or false, found ", value);
        }
        node->flags |= strcmp(value, "true") == 0 ? flag : 0;
    } else if (strcmp(name, "bounds") == 0 && !read_bounds(value, &node->bounds)) {
        fail_at_line(reading, DJ_E_INVALID,
                     "expected bounds=\"[LEFT,TOP][RIGHT,BOTTOM]\", found ", value);
    }
    for (int i = 0; i < DJ_UI_FIELDS; i++) {
        if (strcmp(name, field_names[i]) == 0 &&
            !dj_ui_tree_add_string(reading->tree, value, strlen(value),
                                   &node->field[i])) {
            fail_at_line(reading, DJ_E_NO_MEMORY, "out of memory", "");
        }
    }
}

static void on_start(void *user, const char *element, const char **attributes)
{
    struct reading *reading = user;
    if (reading->code != 0) {
        /* After XML_StopParser(), expat still calls handlers for the current element.
         * These calls are ignored. */
        return;
    }
    reading->depth++;
    if (reading->depth == 1 && strcmp(element, "hierarchy") == 0) {
        if (dj_ui_tree_add_node(reading->tree, 0) == NULL) {
            fail_at_line(reading, DJ_E_NO_MEMORY, "out of memory", "");
        }
        return;
    }
    if (reading->depth == 1 || strcmp(element, "node") != 0) {
        fail_at_line(reading, DJ_E_INVALID,
                     reading->depth == 1 ? "expected <hierarchy>, found <"
                                         : "expected <node>, found <",
                     element);
        return;
    }
    struct dj_ui_node *node = reading->depth <= DJ_UI_DEPTH_MAX
                                  ? dj_ui_tree_add_node(reading->tree, reading->open)
                                  : NULL;
    if (node == NULL) {
        fail_at_line(reading, DJ_E_LIMIT, "more views than a screen can have", "");
        return;
    }
    for (; *attributes != NULL; attributes += 2) {
        read_attribute(reading, node, attributes[0], attributes[1]);
    }
    reading->open = reading->tree->count - 1;
}

static void on_end(void *user, const char *element)
{
    struct reading *reading = user;
    (void)element;
    if (reading->code != 0) {
        return;
    }
    reading->depth--;
    reading->open = reading->tree->nodes[reading->open].parent;
}

/* Converts the error of expat to an error of the reading. */
static void fail_parser(struct reading *reading)
{
    static const enum XML_Error cut[] = {XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN,
                                         XML_ERROR_PARTIAL_CHAR,
                                         XML_ERROR_UNCLOSED_CDATA_SECTION};
    enum XML_Error error = XML_GetErrorCode(reading->parser);
    int code = DJ_E_INVALID;
    for (size_t i = 0; i < COUNT_OF(cut); i++) {
        code = error == cut[i] ? DJ_E_TRUNCATED : code;
    }
    fail_at_line(reading, code,
                 code == DJ_E_TRUNCATED ? "the XML is truncated here: " : "",
                 XML_ErrorString(error));
}

int dj_ui_tree_read_xml(struct dj_ui_tree *tree, const char *xml, size_t length,
                        struct dj_error *err)
{
    if (length > DJ_UI_XML_MAX) {
        return dj_error_set(err, DJ_E_LIMIT, "a tree of views has at most %d MiB",
                            DJ_UI_XML_MAX / (1024 * 1024));
    }
    struct reading reading = {.tree = tree, .err = err};
    reading.parser = XML_ParserCreate(NULL);
    if (reading.parser == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    XML_SetUserData(reading.parser, &reading);
    XML_SetElementHandler(reading.parser, on_start, on_end);
    if (XML_Parse(reading.parser, xml, (int)length, 1) != XML_STATUS_OK &&
        reading.code == 0) {
        fail_parser(&reading);
    }
    XML_ParserFree(reading.parser);
    return reading.code;
}
