#include "cli/verbs/list_jank_rules.h"

#include "cli/messages.h"
#include "cli/terminal_style.h"
#include "report/dump_forms.h"

int dj_cli_list_jank_rules(void)
{
    struct dj_document document = {0};
    struct dj_text out = {0};
    struct dj_error err = {0};
    dj_report_add_jank_rules(&document, "all");
    dj_cli_append_document(&out, &document, true);
    int code = dj_cli_finish_output(0, &out, &err);
    dj_text_finish(&out);
    return code;
}
