#include "report/escape/html.h"

#include <string.h>

#include "memory/memory.h"

void dj_html_escape(struct dj_text *text, const char *string)
{
    static const char *const references[128] = {['&'] = "&amp;",
                                                ['<'] = "&lt;",
                                                ['>'] = "&gt;",
                                                ['"'] = "&quot;",
                                                ['\''] = "&#39;"};
    struct dj_text safe = {0};
    dj_text_append_escaped(&safe, string, strlen(string));
    for (size_t i = 0; i < safe.length; i++) {
        unsigned char byte = (unsigned char)safe.data[i];
        if (byte < 128 && references[byte] != NULL) {
            dj_text_add(text, references[byte]);
        } else {
            dj_text_append(text, safe.data + i, 1);
        }
    }
    dj_text_finish(&safe);
}

void dj_html_escape_and_finish(struct dj_text *text, struct dj_text *words)
{
    dj_html_escape(text, dj_xtext(words));
    dj_text_finish(words);
}
