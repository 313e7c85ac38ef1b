/*
 * model: from the analysed source, the compiled variants and a machine file to a time per layout, and a verdict.
 *
 *   predict.h           the method: the stages in order, and the verdict
 *   machine/machine.h   what is known about a GPU
 *   cases/cases.h       what is launched with which arguments
 *   code/code.h         its code in each layout
 *   evaluate.h          what that executes
 *   cost/cost.h         what it costs
 *   measure/measure.h   measuring programs, measurements, and how good predictions are
 *   json.h              files in JSON
 *
 * Each room includes only rooms above it in the order machine, evaluate, cases, code, cost, predict, measure.
 */
#ifndef COALESCE_MODEL_MODEL_H
#define COALESCE_MODEL_MODEL_H

#include "model/json.h"
#include "model/measure/measure.h"

#endif
