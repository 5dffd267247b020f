#include "report/batches.h"
#include "report/picture.h"

int dj_report_picture_ready(struct dj_error *err)
{
    return dj_error_set(
        err, DJ_E_UNSUPPORTED,
        "this build has no cairo, which draws pictures (.svg, .png); run: make deps && "
        "rm -r build && make");
}

int dj_report_svg(struct dj_text *text, const struct dj_views *views,
                  struct dj_error *err)
{
    (void)text;
    (void)views;
    return dj_report_picture_ready(err);
}

int dj_report_png(struct dj_text *text, const struct dj_views *views,
                  struct dj_error *err)
{
    (void)text;
    (void)views;
    return dj_report_picture_ready(err);
}

int dj_batches_svg(struct dj_text *text, const struct dj_batches *batches,
                   struct dj_error *err)
{
    (void)text;
    (void)batches;
    return dj_report_picture_ready(err);
}

int dj_batches_png(struct dj_text *text, const struct dj_batches *batches,
                   struct dj_error *err)
{
    (void)text;
    (void)batches;
    return dj_report_picture_ready(err);
}
