/*
 * model: from the analysed source, the compiled variants and a machine file to a time per layout, and a verdict.
 *
 *   execute/execute.h   what code executes: the evaluator
 *   machine/machine.h   what is known about a GPU
 *   cases/cases.h       what is launched with which arguments
 *   compile/compile.h   the compiler
 *   code/code.h         a launch's code in each layout, what it is called with, and what of it belongs to what in the
 * source cost/cost.h         what a launch costs: the cost models explain/explain.h   what each source line costs, and
 * what a change there would be worth prediction/prediction.h  what is asked of a prediction, and what it says
 *   trust/trust.h       intervals of times and of verdicts, and how far a verdict is to be trusted
 *   predict/predict.h   the method: the stages in order, and the verdict
 *   measure/measure.h   measuring programs, measurements, and how good predictions are
 *   sweep/sweep.h       a file predicted at many values of a number
 *   tune/tune.h         the configurations of a program, searched
 *
 * Each room includes only rooms that stand above it here.
 */
#ifndef COALESCE_MODEL_MODEL_H
#define COALESCE_MODEL_MODEL_H

#include "base/json/json.h"
#include "model/measure/measure.h"
#include "model/sweep/sweep.h"
#include "model/tune/tune.h"

#endif
