:- module(graphlog_published,
          [ suite_figure/2,         % ?Name, ?Value
            world_figures/8,        % ?World, ?Split, ?Classes, ?Descriptors, ?Length, ?Nodes, ?Edges, ?Difficulty
            world_accuracy/3        % ?World, ?Model, ?Accuracy
          ]).

/** <module> What was published about GraphLog's worlds

Figures of Tables 3 and 6 of Sinha, Sodhani, Pineau and Hamilton (2020). They belong to worlds that were drawn from another
seed: a suite of ours has worlds of the same names and size, and figures that should lie around these.
*/

%!  suite_figure(?Name, ?Value) is nondet.
%
%   Table 3.

suite_figure(relations, 20).
suite_figure(worlds, 57).
suite_figure(rules, 76).
suite_figure(train_rows, 5000).
suite_figure(valid_rows, 1000).
suite_figure(test_rows, 1000).
suite_figure(rules_per_world, 20).
suite_figure(all_descriptors, 522).
suite_figure(longest, 10).
suite_figure(shortest, 2).

%!  world_figures(?World, ?Split, ?Classes, ?Descriptors, ?Length, ?Nodes, ?Edges, ?Difficulty) is nondet.
%
%   Table 6: the means of resolution length, nodes and edges over a world's rows. Difficulty goes by the accuracy of
%   GAT-EGAT: easy from 0.70 on, moderate from 0.54 on.

world_figures(rule_0, train, 17, 286, 4.49, 15.487, 19.295, hard).
world_figures(rule_1, train, 15, 239, 4.1, 11.565, 13.615, hard).
world_figures(rule_2, train, 17, 157, 3.21, 9.809, 11.165, hard).
world_figures(rule_3, train, 16, 189, 3.63, 11.137, 13.273, hard).
world_figures(rule_4, train, 16, 189, 3.94, 12.622, 15.501, moderate).
world_figures(rule_5, train, 14, 275, 4.41, 14.545, 18.872, hard).
world_figures(rule_6, train, 16, 249, 5.06, 16.257, 20.164, hard).
world_figures(rule_7, train, 17, 288, 4.47, 13.161, 16.333, moderate).
world_figures(rule_8, train, 15, 404, 5.43, 15.997, 19.134, moderate).
world_figures(rule_9, train, 19, 1011, 7.22, 24.151, 32.668, easy).
world_figures(rule_10, train, 18, 524, 5.87, 18.011, 22.202, moderate).
world_figures(rule_11, train, 17, 194, 4.29, 11.459, 13.037, moderate).
world_figures(rule_12, train, 15, 306, 4.14, 11.238, 12.919, easy).
world_figures(rule_13, train, 16, 149, 3.58, 11.238, 13.549, hard).
world_figures(rule_14, train, 16, 224, 4.14, 11.371, 13.403, hard).
world_figures(rule_15, train, 14, 224, 3.82, 12.661, 15.105, hard).
world_figures(rule_16, train, 16, 205, 3.59, 11.345, 13.293, hard).
world_figures(rule_17, train, 17, 147, 3.16, 8.163, 8.894, hard).
world_figures(rule_18, train, 18, 923, 6.63, 25.035, 33.08, easy).
world_figures(rule_19, train, 16, 416, 6.1, 17.18, 20.818, easy).
world_figures(rule_20, train, 20, 2024, 8.63, 34.059, 45.985, easy).
world_figures(rule_21, train, 13, 272, 4.58, 10.559, 11.754, moderate).
world_figures(rule_22, train, 17, 422, 5.21, 16.54, 20.681, moderate).
world_figures(rule_23, train, 15, 383, 4.97, 17.067, 21.111, hard).
world_figures(rule_24, train, 18, 879, 6.33, 21.402, 26.152, easy).
world_figures(rule_25, train, 15, 278, 3.84, 11.093, 12.775, hard).
world_figures(rule_26, train, 15, 352, 4.71, 14.157, 17.115, moderate).
world_figures(rule_27, train, 16, 393, 4.98, 14.296, 16.499, easy).
world_figures(rule_28, train, 16, 391, 4.82, 17.551, 21.897, moderate).
world_figures(rule_29, train, 16, 144, 3.87, 10.193, 11.774, hard).
world_figures(rule_30, train, 17, 177, 3.51, 10.27, 11.764, hard).
world_figures(rule_31, train, 19, 916, 5.9, 20.147, 26.562, easy).
world_figures(rule_32, train, 16, 287, 4.66, 16.27, 20.929, moderate).
world_figures(rule_33, train, 18, 312, 4.5, 14.738, 18.266, moderate).
world_figures(rule_34, train, 18, 504, 5.0, 15.345, 18.614, easy).
world_figures(rule_35, train, 19, 979, 6.23, 21.867, 28.266, easy).
world_figures(rule_36, train, 19, 252, 4.66, 13.9, 16.613, easy).
world_figures(rule_37, train, 17, 260, 4.0, 11.956, 14.01, easy).
world_figures(rule_38, train, 17, 568, 5.21, 15.305, 20.075, easy).
world_figures(rule_39, train, 15, 182, 3.98, 12.552, 14.8, easy).
world_figures(rule_40, train, 17, 181, 3.69, 11.556, 14.437, moderate).
world_figures(rule_41, train, 15, 113, 3.58, 10.162, 11.553, moderate).
world_figures(rule_42, train, 14, 95, 2.96, 8.939, 9.751, hard).
world_figures(rule_43, train, 16, 162, 3.36, 11.077, 13.337, moderate).
world_figures(rule_44, train, 18, 705, 4.75, 15.31, 18.172, hard).
world_figures(rule_45, train, 15, 151, 3.39, 9.127, 10.001, moderate).
world_figures(rule_46, train, 19, 2704, 7.94, 31.458, 43.489, easy).
world_figures(rule_47, train, 18, 647, 6.66, 22.139, 27.789, easy).
world_figures(rule_48, train, 16, 978, 6.15, 17.802, 21.674, easy).
world_figures(rule_49, train, 14, 169, 3.41, 9.983, 11.177, easy).
world_figures(rule_50, train, 16, 286, 3.99, 12.274, 16.117, moderate).
world_figures(rule_51, valid, 16, 332, 4.44, 16.384, 21.817, easy).
world_figures(rule_52, valid, 17, 351, 4.81, 16.231, 20.613, moderate).
world_figures(rule_53, valid, 15, 165, 3.65, 10.838, 12.378, hard).
world_figures(rule_54, test, 13, 303, 5.25, 13.503, 15.567, moderate).
world_figures(rule_55, test, 16, 293, 4.83, 16.444, 20.944, moderate).
world_figures(rule_56, test, 15, 241, 4.4, 14.01, 16.702, moderate).

%!  world_accuracy(?World, ?Model, ?Accuracy) is nondet.
%
%   Table 6: the test accuracy of a model that was trained on the world alone.

world_accuracy(rule_0, gat_egat, 0.481).
world_accuracy(rule_0, gcn_egat, 0.5).
world_accuracy(rule_0, param_egat, 0.494).
world_accuracy(rule_0, gat_rgcn, 0.486).
world_accuracy(rule_0, gcn_rgcn, 0.462).
world_accuracy(rule_0, param_rgcn, 0.462).
world_accuracy(rule_1, gat_egat, 0.432).
world_accuracy(rule_1, gcn_egat, 0.411).
world_accuracy(rule_1, param_egat, 0.428).
world_accuracy(rule_1, gat_rgcn, 0.406).
world_accuracy(rule_1, gcn_rgcn, 0.4).
world_accuracy(rule_1, param_rgcn, 0.408).
world_accuracy(rule_2, gat_egat, 0.412).
world_accuracy(rule_2, gcn_egat, 0.357).
world_accuracy(rule_2, param_egat, 0.373).
world_accuracy(rule_2, gat_rgcn, 0.347).
world_accuracy(rule_2, gcn_rgcn, 0.347).
world_accuracy(rule_2, param_rgcn, 0.319).
world_accuracy(rule_3, gat_egat, 0.429).
world_accuracy(rule_3, gcn_egat, 0.404).
world_accuracy(rule_3, param_egat, 0.473).
world_accuracy(rule_3, gat_rgcn, 0.373).
world_accuracy(rule_3, gcn_rgcn, 0.401).
world_accuracy(rule_3, param_rgcn, 0.451).
world_accuracy(rule_4, gat_egat, 0.624).
world_accuracy(rule_4, gcn_egat, 0.606).
world_accuracy(rule_4, param_egat, 0.619).
world_accuracy(rule_4, gat_rgcn, 0.475).
world_accuracy(rule_4, gcn_rgcn, 0.481).
world_accuracy(rule_4, param_rgcn, 0.595).
world_accuracy(rule_5, gat_egat, 0.526).
world_accuracy(rule_5, gcn_egat, 0.539).
world_accuracy(rule_5, param_egat, 0.548).
world_accuracy(rule_5, gat_rgcn, 0.429).
world_accuracy(rule_5, gcn_rgcn, 0.461).
world_accuracy(rule_5, param_rgcn, 0.455).
world_accuracy(rule_6, gat_egat, 0.528).
world_accuracy(rule_6, gcn_egat, 0.514).
world_accuracy(rule_6, param_egat, 0.536).
world_accuracy(rule_6, gat_rgcn, 0.498).
world_accuracy(rule_6, gcn_rgcn, 0.495).
world_accuracy(rule_6, param_rgcn, 0.476).
world_accuracy(rule_7, gat_egat, 0.613).
world_accuracy(rule_7, gcn_egat, 0.558).
world_accuracy(rule_7, param_egat, 0.598).
world_accuracy(rule_7, gat_rgcn, 0.487).
world_accuracy(rule_7, gcn_rgcn, 0.486).
world_accuracy(rule_7, param_rgcn, 0.537).
world_accuracy(rule_8, gat_egat, 0.627).
world_accuracy(rule_8, gcn_egat, 0.643).
world_accuracy(rule_8, param_egat, 0.629).
world_accuracy(rule_8, gat_rgcn, 0.523).
world_accuracy(rule_8, gcn_rgcn, 0.563).
world_accuracy(rule_8, param_rgcn, 0.569).
world_accuracy(rule_9, gat_egat, 0.758).
world_accuracy(rule_9, gcn_egat, 0.744).
world_accuracy(rule_9, param_egat, 0.739).
world_accuracy(rule_9, gat_rgcn, 0.683).
world_accuracy(rule_9, gcn_rgcn, 0.651).
world_accuracy(rule_9, param_rgcn, 0.623).
world_accuracy(rule_10, gat_egat, 0.656).
world_accuracy(rule_10, gcn_egat, 0.654).
world_accuracy(rule_10, param_egat, 0.663).
world_accuracy(rule_10, gat_rgcn, 0.596).
world_accuracy(rule_10, gcn_rgcn, 0.563).
world_accuracy(rule_10, param_rgcn, 0.605).
world_accuracy(rule_11, gat_egat, 0.552).
world_accuracy(rule_11, gcn_egat, 0.525).
world_accuracy(rule_11, param_egat, 0.533).
world_accuracy(rule_11, gat_rgcn, 0.445).
world_accuracy(rule_11, gcn_rgcn, 0.456).
world_accuracy(rule_11, param_rgcn, 0.419).
world_accuracy(rule_12, gat_egat, 0.771).
world_accuracy(rule_12, gcn_egat, 0.726).
world_accuracy(rule_12, param_egat, 0.603).
world_accuracy(rule_12, gat_rgcn, 0.511).
world_accuracy(rule_12, gcn_rgcn, 0.561).
world_accuracy(rule_12, param_rgcn, 0.523).
world_accuracy(rule_13, gat_egat, 0.453).
world_accuracy(rule_13, gcn_egat, 0.402).
world_accuracy(rule_13, param_egat, 0.419).
world_accuracy(rule_13, gat_rgcn, 0.347).
world_accuracy(rule_13, gcn_rgcn, 0.298).
world_accuracy(rule_13, param_rgcn, 0.344).
world_accuracy(rule_14, gat_egat, 0.448).
world_accuracy(rule_14, gcn_egat, 0.457).
world_accuracy(rule_14, param_egat, 0.401).
world_accuracy(rule_14, gat_rgcn, 0.314).
world_accuracy(rule_14, gcn_rgcn, 0.318).
world_accuracy(rule_14, param_rgcn, 0.332).
world_accuracy(rule_15, gat_egat, 0.494).
world_accuracy(rule_15, gcn_egat, 0.423).
world_accuracy(rule_15, param_egat, 0.501).
world_accuracy(rule_15, gat_rgcn, 0.402).
world_accuracy(rule_15, gcn_rgcn, 0.397).
world_accuracy(rule_15, param_rgcn, 0.435).
world_accuracy(rule_16, gat_egat, 0.318).
world_accuracy(rule_16, gcn_egat, 0.332).
world_accuracy(rule_16, param_egat, 0.292).
world_accuracy(rule_16, gat_rgcn, 0.328).
world_accuracy(rule_16, gcn_rgcn, 0.306).
world_accuracy(rule_16, param_rgcn, 0.291).
world_accuracy(rule_17, gat_egat, 0.347).
world_accuracy(rule_17, gcn_egat, 0.308).
world_accuracy(rule_17, param_egat, 0.274).
world_accuracy(rule_17, gat_rgcn, 0.164).
world_accuracy(rule_17, gcn_rgcn, 0.161).
world_accuracy(rule_17, param_rgcn, 0.181).
world_accuracy(rule_18, gat_egat, 0.7).
world_accuracy(rule_18, gcn_egat, 0.68).
world_accuracy(rule_18, param_egat, 0.713).
world_accuracy(rule_18, gat_rgcn, 0.65).
world_accuracy(rule_18, gcn_rgcn, 0.641).
world_accuracy(rule_18, param_rgcn, 0.618).
world_accuracy(rule_19, gat_egat, 0.79).
world_accuracy(rule_19, gcn_egat, 0.774).
world_accuracy(rule_19, param_egat, 0.777).
world_accuracy(rule_19, gat_rgcn, 0.731).
world_accuracy(rule_19, gcn_rgcn, 0.729).
world_accuracy(rule_19, param_rgcn, 0.702).
world_accuracy(rule_20, gat_egat, 0.83).
world_accuracy(rule_20, gcn_egat, 0.799).
world_accuracy(rule_20, param_egat, 0.854).
world_accuracy(rule_20, gat_rgcn, 0.756).
world_accuracy(rule_20, gcn_rgcn, 0.741).
world_accuracy(rule_20, param_rgcn, 0.75).
world_accuracy(rule_21, gat_egat, 0.621).
world_accuracy(rule_21, gcn_egat, 0.61).
world_accuracy(rule_21, param_egat, 0.632).
world_accuracy(rule_21, gat_rgcn, 0.531).
world_accuracy(rule_21, gcn_rgcn, 0.516).
world_accuracy(rule_21, param_rgcn, 0.58).
world_accuracy(rule_22, gat_egat, 0.586).
world_accuracy(rule_22, gcn_egat, 0.593).
world_accuracy(rule_22, param_egat, 0.628).
world_accuracy(rule_22, gat_rgcn, 0.53).
world_accuracy(rule_22, gcn_rgcn, 0.506).
world_accuracy(rule_22, param_rgcn, 0.573).
world_accuracy(rule_23, gat_egat, 0.508).
world_accuracy(rule_23, gcn_egat, 0.522).
world_accuracy(rule_23, param_egat, 0.493).
world_accuracy(rule_23, gat_rgcn, 0.455).
world_accuracy(rule_23, gcn_rgcn, 0.473).
world_accuracy(rule_23, param_rgcn, 0.476).
world_accuracy(rule_24, gat_egat, 0.706).
world_accuracy(rule_24, gcn_egat, 0.704).
world_accuracy(rule_24, param_egat, 0.743).
world_accuracy(rule_24, gat_rgcn, 0.656).
world_accuracy(rule_24, gcn_rgcn, 0.641).
world_accuracy(rule_24, param_rgcn, 0.638).
world_accuracy(rule_25, gat_egat, 0.424).
world_accuracy(rule_25, gcn_egat, 0.419).
world_accuracy(rule_25, param_egat, 0.382).
world_accuracy(rule_25, gat_rgcn, 0.358).
world_accuracy(rule_25, gcn_rgcn, 0.345).
world_accuracy(rule_25, param_rgcn, 0.412).
world_accuracy(rule_26, gat_egat, 0.565).
world_accuracy(rule_26, gcn_egat, 0.534).
world_accuracy(rule_26, param_egat, 0.532).
world_accuracy(rule_26, gat_rgcn, 0.466).
world_accuracy(rule_26, gcn_rgcn, 0.461).
world_accuracy(rule_26, param_rgcn, 0.499).
world_accuracy(rule_27, gat_egat, 0.713).
world_accuracy(rule_27, gcn_egat, 0.714).
world_accuracy(rule_27, param_egat, 0.722).
world_accuracy(rule_27, gat_rgcn, 0.632).
world_accuracy(rule_27, gcn_rgcn, 0.604).
world_accuracy(rule_27, param_rgcn, 0.647).
world_accuracy(rule_28, gat_egat, 0.575).
world_accuracy(rule_28, gcn_egat, 0.564).
world_accuracy(rule_28, param_egat, 0.571).
world_accuracy(rule_28, gat_rgcn, 0.503).
world_accuracy(rule_28, gcn_rgcn, 0.499).
world_accuracy(rule_28, param_rgcn, 0.552).
world_accuracy(rule_29, gat_egat, 0.468).
world_accuracy(rule_29, gcn_egat, 0.445).
world_accuracy(rule_29, param_egat, 0.475).
world_accuracy(rule_29, gat_rgcn, 0.325).
world_accuracy(rule_29, gcn_rgcn, 0.336).
world_accuracy(rule_29, param_rgcn, 0.389).
world_accuracy(rule_30, gat_egat, 0.381).
world_accuracy(rule_30, gcn_egat, 0.426).
world_accuracy(rule_30, param_egat, 0.382).
world_accuracy(rule_30, gat_rgcn, 0.357).
world_accuracy(rule_30, gcn_rgcn, 0.316).
world_accuracy(rule_30, param_rgcn, 0.336).
world_accuracy(rule_31, gat_egat, 0.788).
world_accuracy(rule_31, gcn_egat, 0.789).
world_accuracy(rule_31, param_egat, 0.77).
world_accuracy(rule_31, gat_rgcn, 0.669).
world_accuracy(rule_31, gcn_rgcn, 0.674).
world_accuracy(rule_31, param_rgcn, 0.641).
world_accuracy(rule_32, gat_egat, 0.674).
world_accuracy(rule_32, gcn_egat, 0.671).
world_accuracy(rule_32, param_egat, 0.7).
world_accuracy(rule_32, gat_rgcn, 0.621).
world_accuracy(rule_32, gcn_rgcn, 0.594).
world_accuracy(rule_32, param_rgcn, 0.615).
world_accuracy(rule_33, gat_egat, 0.695).
world_accuracy(rule_33, gcn_egat, 0.66).
world_accuracy(rule_33, param_egat, 0.709).
world_accuracy(rule_33, gat_rgcn, 0.71).
world_accuracy(rule_33, gcn_rgcn, 0.679).
world_accuracy(rule_33, param_rgcn, 0.668).
world_accuracy(rule_34, gat_egat, 0.908).
world_accuracy(rule_34, gcn_egat, 0.888).
world_accuracy(rule_34, param_egat, 0.906).
world_accuracy(rule_34, gat_rgcn, 0.768).
world_accuracy(rule_34, gcn_rgcn, 0.762).
world_accuracy(rule_34, param_rgcn, 0.811).
world_accuracy(rule_35, gat_egat, 0.831).
world_accuracy(rule_35, gcn_egat, 0.75).
world_accuracy(rule_35, param_egat, 0.782).
world_accuracy(rule_35, gat_rgcn, 0.68).
world_accuracy(rule_35, gcn_rgcn, 0.7).
world_accuracy(rule_35, param_rgcn, 0.662).
world_accuracy(rule_36, gat_egat, 0.742).
world_accuracy(rule_36, gcn_egat, 0.698).
world_accuracy(rule_36, param_egat, 0.698).
world_accuracy(rule_36, gat_rgcn, 0.659).
world_accuracy(rule_36, gcn_rgcn, 0.627).
world_accuracy(rule_36, param_rgcn, 0.651).
world_accuracy(rule_37, gat_egat, 0.843).
world_accuracy(rule_37, gcn_egat, 0.826).
world_accuracy(rule_37, param_egat, 0.826).
world_accuracy(rule_37, gat_rgcn, 0.673).
world_accuracy(rule_37, gcn_rgcn, 0.698).
world_accuracy(rule_37, param_rgcn, 0.716).
world_accuracy(rule_38, gat_egat, 0.748).
world_accuracy(rule_38, gcn_egat, 0.762).
world_accuracy(rule_38, param_egat, 0.733).
world_accuracy(rule_38, gat_rgcn, 0.644).
world_accuracy(rule_38, gcn_rgcn, 0.63).
world_accuracy(rule_38, param_rgcn, 0.719).
world_accuracy(rule_39, gat_egat, 0.737).
world_accuracy(rule_39, gcn_egat, 0.642).
world_accuracy(rule_39, param_egat, 0.635).
world_accuracy(rule_39, gat_rgcn, 0.592).
world_accuracy(rule_39, gcn_rgcn, 0.603).
world_accuracy(rule_39, param_rgcn, 0.587).
world_accuracy(rule_40, gat_egat, 0.552).
world_accuracy(rule_40, gcn_egat, 0.584).
world_accuracy(rule_40, param_egat, 0.575).
world_accuracy(rule_40, gat_rgcn, 0.525).
world_accuracy(rule_40, gcn_rgcn, 0.472).
world_accuracy(rule_40, param_rgcn, 0.479).
world_accuracy(rule_41, gat_egat, 0.619).
world_accuracy(rule_41, gcn_egat, 0.601).
world_accuracy(rule_41, param_egat, 0.626).
world_accuracy(rule_41, gat_rgcn, 0.49).
world_accuracy(rule_41, gcn_rgcn, 0.468).
world_accuracy(rule_41, param_rgcn, 0.47).
world_accuracy(rule_42, gat_egat, 0.511).
world_accuracy(rule_42, gcn_egat, 0.472).
world_accuracy(rule_42, param_egat, 0.483).
world_accuracy(rule_42, gat_rgcn, 0.386).
world_accuracy(rule_42, gcn_rgcn, 0.393).
world_accuracy(rule_42, param_rgcn, 0.395).
world_accuracy(rule_43, gat_egat, 0.622).
world_accuracy(rule_43, gcn_egat, 0.567).
world_accuracy(rule_43, param_egat, 0.579).
world_accuracy(rule_43, gat_rgcn, 0.473).
world_accuracy(rule_43, gcn_rgcn, 0.482).
world_accuracy(rule_43, param_rgcn, 0.437).
world_accuracy(rule_44, gat_egat, 0.538).
world_accuracy(rule_44, gcn_egat, 0.561).
world_accuracy(rule_44, param_egat, 0.603).
world_accuracy(rule_44, gat_rgcn, 0.498).
world_accuracy(rule_44, gcn_rgcn, 0.519).
world_accuracy(rule_44, param_rgcn, 0.45).
world_accuracy(rule_45, gat_egat, 0.569).
world_accuracy(rule_45, gcn_egat, 0.58).
world_accuracy(rule_45, param_egat, 0.592).
world_accuracy(rule_45, gat_rgcn, 0.535).
world_accuracy(rule_45, gcn_rgcn, 0.524).
world_accuracy(rule_45, param_rgcn, 0.524).
world_accuracy(rule_46, gat_egat, 0.85).
world_accuracy(rule_46, gcn_egat, 0.82).
world_accuracy(rule_46, param_egat, 0.828).
world_accuracy(rule_46, gat_rgcn, 0.773).
world_accuracy(rule_46, gcn_rgcn, 0.762).
world_accuracy(rule_46, param_rgcn, 0.749).
world_accuracy(rule_47, gat_egat, 0.723).
world_accuracy(rule_47, gcn_egat, 0.667).
world_accuracy(rule_47, param_egat, 0.708).
world_accuracy(rule_47, gat_rgcn, 0.62).
world_accuracy(rule_47, gcn_rgcn, 0.649).
world_accuracy(rule_47, param_rgcn, 0.611).
world_accuracy(rule_48, gat_egat, 0.812).
world_accuracy(rule_48, gcn_egat, 0.798).
world_accuracy(rule_48, param_egat, 0.812).
world_accuracy(rule_48, gat_rgcn, 0.772).
world_accuracy(rule_48, gcn_rgcn, 0.763).
world_accuracy(rule_48, param_rgcn, 0.753).
world_accuracy(rule_49, gat_egat, 0.714).
world_accuracy(rule_49, gcn_egat, 0.734).
world_accuracy(rule_49, param_egat, 0.7).
world_accuracy(rule_49, gat_rgcn, 0.511).
world_accuracy(rule_49, gcn_rgcn, 0.491).
world_accuracy(rule_49, param_rgcn, 0.615).
world_accuracy(rule_50, gat_egat, 0.651).
world_accuracy(rule_50, gcn_egat, 0.653).
world_accuracy(rule_50, param_egat, 0.656).
world_accuracy(rule_50, gat_rgcn, 0.555).
world_accuracy(rule_50, gcn_rgcn, 0.583).
world_accuracy(rule_50, param_rgcn, 0.57).
world_accuracy(rule_51, gat_egat, 0.746).
world_accuracy(rule_51, gcn_egat, 0.742).
world_accuracy(rule_51, param_egat, 0.738).
world_accuracy(rule_51, gat_rgcn, 0.667).
world_accuracy(rule_51, gcn_rgcn, 0.657).
world_accuracy(rule_51, param_rgcn, 0.689).
world_accuracy(rule_52, gat_egat, 0.697).
world_accuracy(rule_52, gcn_egat, 0.716).
world_accuracy(rule_52, param_egat, 0.754).
world_accuracy(rule_52, gat_rgcn, 0.653).
world_accuracy(rule_52, gcn_rgcn, 0.655).
world_accuracy(rule_52, param_rgcn, 0.67).
world_accuracy(rule_53, gat_egat, 0.458).
world_accuracy(rule_53, gcn_egat, 0.464).
world_accuracy(rule_53, param_egat, 0.525).
world_accuracy(rule_53, gat_rgcn, 0.334).
world_accuracy(rule_53, gcn_rgcn, 0.364).
world_accuracy(rule_53, param_rgcn, 0.373).
world_accuracy(rule_54, gat_egat, 0.638).
world_accuracy(rule_54, gcn_egat, 0.623).
world_accuracy(rule_54, param_egat, 0.603).
world_accuracy(rule_54, gat_rgcn, 0.587).
world_accuracy(rule_54, gcn_rgcn, 0.586).
world_accuracy(rule_54, param_rgcn, 0.555).
world_accuracy(rule_55, gat_egat, 0.625).
world_accuracy(rule_55, gcn_egat, 0.582).
world_accuracy(rule_55, param_egat, 0.578).
world_accuracy(rule_55, gat_rgcn, 0.561).
world_accuracy(rule_55, gcn_rgcn, 0.528).
world_accuracy(rule_55, param_rgcn, 0.571).
world_accuracy(rule_56, gat_egat, 0.653).
world_accuracy(rule_56, gcn_egat, 0.681).
world_accuracy(rule_56, param_egat, 0.692).
world_accuracy(rule_56, gat_rgcn, 0.522).
world_accuracy(rule_56, gcn_rgcn, 0.513).
world_accuracy(rule_56, param_rgcn, 0.55).
