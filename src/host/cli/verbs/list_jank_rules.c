#include "cli/verbs/list_jank_rules.h"

#include "cli/messages.h"
#include "report/dump_forms.h"

int dj_cli_list_jank_rules(void)
{
    struct dj_text out = {0};
    struct dj_error err = {0};
    dj_report_list_jank_rules(&out);
    int code = dj_cli_finish_output(0, &out, &err);
    dj_text_finish(&out);
    return code;
}
