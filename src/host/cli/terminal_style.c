#include "cli/terminal_style.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct dj_terminal_style dj_terminal_style(void)
{
    struct dj_terminal_style style = {.width = 80};
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    bool dumb = terminal != NULL && strcmp(terminal, "dumb") == 0;
    setlocale(LC_CTYPE, "");
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        style.width = size.ws_col;
    }
    if (columns != NULL && columns[0] != '\0') {
        long asked = strtol(columns, NULL, 10);
        style.width = asked > DJ_TERMINAL_MAX_WIDTH ? DJ_TERMINAL_MAX_WIDTH
                      : asked > 0                   ? (int)asked
                                                    : style.width;
    }
    style.color =
        isatty(STDOUT_FILENO) && !dumb && (no_color == NULL || no_color[0] == '\0');
    style.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    return style;
}

bool dj_terminal_width_is_known(void)
{
    const char *columns = getenv("COLUMNS");
    return isatty(STDOUT_FILENO) || (columns != NULL && columns[0] != '\0');
}

void dj_cli_append_document(struct dj_text *text, struct dj_document *document,
                            bool with_details)
{
    struct dj_terminal_style style = dj_terminal_style();
    dj_document_write_terminal(text, document, &style, with_details);
    dj_document_finish(document);
}
