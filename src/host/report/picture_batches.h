/* The charts of a picture of batches. Private to the pictures. */
#ifndef DEJANK_REPORT_PICTURE_BATCHES_H
#define DEJANK_REPORT_PICTURE_BATCHES_H

#include "report/batches.h"
#include "report/picture_parts.h"

/* Each draws from y on and returns its lower end; nothing where there is nothing to draw.
 * All batches' frame times have one scale. */
double dj_picture_batch_histogram(struct dj_canvas *canvas,
                                  const struct dj_batches *batches, size_t index,
                                  double y);
double dj_picture_batch_stages(struct dj_canvas *canvas, const struct dj_batches *batches,
                               double y);

#endif
