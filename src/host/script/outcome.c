#include "script/script.h"

void dj_script_outcome_finish(struct dj_script_outcome *outcome)
{
    dj_text_finish(&outcome->traceback);
    *outcome = (struct dj_script_outcome){.exit_code = 0};
}
